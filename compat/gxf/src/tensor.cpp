#include "gxf/std/tensor.hpp"

#include <memory>
#include <utility>

#include "parts.hpp"

namespace nvidia::gxf {

static_assert(sizeof(Tensor) == sizeof(gxr::Tensor) && alignof(Tensor) == alignof(gxr::Tensor));
static_assert(sizeof(Shape) == sizeof(gxr::Shape) && alignof(Shape) == alignof(gxr::Shape));
static_assert(std::is_same_v<Tensor::stride_array_t, gxr::Strides>);

namespace {

using layer::attempt;
using layer::Closure;
using layer::to_native;

/// Without a value, gxr makes strides without gaps.
const gxr::Strides* strides_of(const Expected<Tensor::stride_array_t>& strides) {
  return strides.has_value() ? &strides.value() : nullptr;
}

/// Memory of an allocator of gxr, in the place of what the tensor has. Throws what gxr does.
void allocate_native(gxr::Tensor& tensor, gxr::Allocator& allocator, const gxr::Shape& shape,
                     std::uint64_t size, gxr::ElementType type, std::uint64_t bytes_per_element,
                     const gxr::Strides* strides, gxr::MemoryStorageType storage) {
  tensor.reset();
  void* const memory = allocator.allocate(size, storage);
  try {
    tensor.adopt(allocator, memory, shape, type, allocator.real_storage(storage), bytes_per_element,
                 strides);
  } catch (...) {
    allocator.free(memory);
    throw;
  }
  tensor.set_recorded_storage_type(storage);
}

}  // namespace

uint64_t PrimitiveTypeSize(PrimitiveType primitive) { return gxr::size_of(to_native(primitive)); }

Tensor::Tensor() { ::new (static_cast<void*>(native_)) gxr::Tensor(); }

Tensor::Tensor(const DLManagedTensor* dl_managed_tensor) : Tensor() {
  fromDLPack(dl_managed_tensor).log_error("A tensor was not made of a DLPack tensor");
}

Tensor::Tensor(std::shared_ptr<DLManagedTensorContext> dl_context) : Tensor() {
  fromDLPack(std::move(dl_context)).log_error("A tensor was not made of a DLPack tensor");
}

Tensor::Tensor(Tensor&& other) noexcept {
  ::new (static_cast<void*>(native_)) gxr::Tensor(std::move(to_native(other)));
}

Tensor& Tensor::operator=(Tensor&& other) noexcept {
  to_native(*this) = std::move(to_native(other));
  return *this;
}

Tensor::~Tensor() { to_native(*this).~Tensor(); }

// A gxr::Tensor without memory has no bytes for an element; a fresh tensor of GXF has one.

MemoryStorageType Tensor::storage_type() const {
  const gxr::Tensor& native = to_native(*this);
  return native.bytes_per_element() == 0 ? MemoryStorageType::kHost
                                         : layer::from_native(native.storage_type());
}

const Shape& Tensor::shape() const {
  return *std::launder(reinterpret_cast<const Shape*>(&to_native(*this).shape()));
}

PrimitiveType Tensor::element_type() const {
  const gxr::Tensor& native = to_native(*this);
  return native.bytes_per_element() == 0 ? PrimitiveType::kUnsigned8
                                         : static_cast<PrimitiveType>(native.element_type());
}

uint64_t Tensor::bytes_per_element() const {
  const std::uint64_t bytes = to_native(*this).bytes_per_element();
  return bytes == 0 ? 1 : bytes;
}

std::size_t Tensor::size() const {
  const gxr::Tensor& native = to_native(*this);
  return native.pointer() == nullptr ? 0 : native.size();
}

byte* Tensor::pointer() const {
  // As in GXF, whoever sees a tensor may write to it.
  return static_cast<byte*>(const_cast<void*>(to_native(*this).pointer()));
}

uint64_t Tensor::stride(uint32_t index) const { return to_native(*this).stride(index); }

Expected<void> Tensor::reshapeCustom(const Shape& shape, PrimitiveType element_type,
                                     uint64_t bytes_per_element, Expected<stride_array_t> strides,
                                     MemoryStorageType storage_type, Handle<Allocator> allocator) {
  if (allocator.is_null()) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  gxr::Tensor& native = to_native(*this);
  const Shape asked = shape;  // which may be the tensor's own
  gxr::Shape wanted;
  const std::uint64_t bytes =
      bytes_per_element != 0 ? bytes_per_element : PrimitiveTypeSize(element_type);
  std::uint64_t size = 0;
  const Expected<void> checked = attempt([&] {
    wanted = to_native(asked);
    if (bytes == 0 || __builtin_mul_overflow(wanted.element_count(), bytes, &size)) {
      throw gxr::Error(gxr::ErrorCode::InvalidArgument, "a tensor of shape " + wanted.to_string() +
                                                            " cannot have elements of " +
                                                            std::to_string(bytes) + " bytes");
    }
  });
  if (!checked) {
    return checked;
  }
  gxr::Allocator* const source = layer::native_allocator(*allocator.get());
  if (source != nullptr) {
    const auto storage = layer::storage_to_allocate(storage_type);
    if (!storage) {
      return ForwardError(storage);
    }
    return attempt(
        [&] {
          allocate_native(native, *source, wanted, size, to_native(element_type), bytes,
                          strides_of(strides), storage.value());
        },
        [&](const gxr::Error& error) { return layer::code_of_error(error, *source); });
  }
  native.reset();
  Expected<layer::Allocated> memory = layer::allocate_memory(allocator, size, storage_type);
  if (!memory) {
    return ForwardError(memory);
  }
  layer::Allocated& allocated = memory.value();
  const release_function_t give_back = std::move(allocated.closure->release);
  Expected<void> wrapped = wrapMemory(asked, element_type, bytes, std::move(strides), storage_type,
                                      allocated.pointer, give_back);
  if (!wrapped) {
    static_cast<void>(give_back(allocated.pointer));
  }
  return wrapped;
}

Expected<void> Tensor::wrapMemory(const Shape& shape, PrimitiveType element_type,
                                  uint64_t bytes_per_element, Expected<stride_array_t> strides,
                                  MemoryStorageType storage_type, void* pointer,
                                  release_function_t release_func, bool reset_dlpack) {
  return attempt([&] {
    gxr::Tensor& native = to_native(*this);
    auto closure = std::make_unique<Closure>();
    closure->release = std::move(release_func);
    if (const Closure* const old = layer::closure_of(native); old != nullptr && !reset_dlpack) {
      closure->dlpack = old->dlpack;
    }
    gxr::Tensor wrapped;
    wrapped.wrap(pointer, to_native(shape), to_native(element_type), to_native(storage_type),
                 closure.get(), Closure::run, bytes_per_element, strides_of(strides));
    static_cast<void>(closure.release());
    layer::replace_part(native, std::move(wrapped));
  });
}

Expected<void> Tensor::wrapMemoryBuffer(const Shape& shape, PrimitiveType element_type,
                                        uint64_t bytes_per_element,
                                        Expected<stride_array_t> strides, MemoryBuffer buffer) {
  const std::uint64_t bytes =
      bytes_per_element != 0 ? bytes_per_element : PrimitiveTypeSize(element_type);
  if (shape.size() * bytes > buffer.size()) {
    GXF_LOG_ERROR("A buffer of %lu bytes is too small for %lu elements of %lu bytes",
                  static_cast<unsigned long>(buffer.size()),
                  static_cast<unsigned long>(shape.size()), static_cast<unsigned long>(bytes));
    return Unexpected{GXF_ARGUMENT_INVALID};
  }
  const MemoryStorageType storage_type = buffer.storage_type();
  void* const memory = buffer.pointer();
  auto owner = std::make_shared<MemoryBuffer>(std::move(buffer));
  // NOLINTNEXTLINE(performance-unnecessary-value-param)
  return wrapMemory(shape, element_type, bytes, strides, storage_type, memory,
                    [owner = std::move(owner)](void*) { return owner->freeBuffer(); });
}

MemoryBuffer Tensor::move_buffer() {
  MemoryBuffer buffer;
  void* const memory = pointer();
  if (memory == nullptr) {
    return buffer;
  }
  const std::uint64_t bytes = size();
  const MemoryStorageType storage = storage_type();
  auto owner = std::make_shared<gxr::Tensor>(std::move(to_native(*this)));
  static_cast<void>(buffer.wrapMemory(memory, bytes, storage, [owner = std::move(owner)](void*) {
    owner->reset();
    return Success;
  }));
  return buffer;
}

namespace {

/// Calls `change`, after which a DLPack context would say something else.
template <typename F>
Expected<void> change_view(Tensor& tensor, F&& change) {
  if (tensor.pointer() == nullptr) {
    return Unexpected{GXF_ARGUMENT_INVALID};
  }
  return attempt([&] {
    gxr::Tensor& native = to_native(tensor);
    change(native);
    if (Closure* const closure = layer::closure_of(native); closure != nullptr) {
      closure->dlpack = nullptr;
    }
  });
}

}  // namespace

Expected<void> Tensor::permute(std::initializer_list<uint32_t> axes) {
  return change_view(*this, [&](gxr::Tensor& native) { native.permute(axes); });
}

Expected<void> Tensor::noCopyReshape(std::initializer_list<int32_t> dimensions) {
  return change_view(*this, [&](gxr::Tensor& native) { native.reshape(gxr::Shape(dimensions)); });
}

Expected<void> Tensor::insertSingletonDim(uint32_t dimension) {
  return change_view(*this, [&](gxr::Tensor& native) { native.insert_dimension(dimension); });
}

Expected<bool> Tensor::isContiguous() const { return to_native(*this).is_contiguous(); }

}  // namespace nvidia::gxf

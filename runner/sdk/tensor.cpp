#include "gxr/tensor.hpp"

#include <algorithm>
#include <string>
#include <utility>

#include "gxr/error.hpp"

namespace gxr {
namespace {

[[noreturn]] void throw_too_large(const Shape& shape, std::uint64_t bytes_per_element) {
  throw Error(ErrorCode::InvalidArgument, "a tensor of shape " + shape.to_string() + " with " +
                                              std::to_string(bytes_per_element) +
                                              " bytes an element is too large to address");
}

std::uint64_t bytes_of(const Shape& shape, std::uint64_t bytes_per_element) {
  std::uint64_t bytes = 0;
  if (__builtin_mul_overflow(shape.element_count(), bytes_per_element, &bytes)) {
    throw_too_large(shape, bytes_per_element);
  }
  return bytes;
}

/// Throws unless the address of every element can be computed.
void require_addressable(const Shape& shape, const Strides& strides,
                         std::uint64_t bytes_per_element) {
  std::uint64_t span = bytes_of(shape, bytes_per_element) == 0 ? 0 : bytes_per_element;
  for (std::uint32_t i = 0; i < shape.rank() && span > 0; ++i) {
    std::uint64_t reach = 0;
    const auto steps = static_cast<std::uint64_t>(shape.dimension(i)) - 1;
    if (__builtin_mul_overflow(steps, strides[i], &reach) ||
        __builtin_add_overflow(span, reach, &span)) {
      throw_too_large(shape, bytes_per_element);
    }
  }
}

std::uint64_t element_bytes(ElementType type, std::uint64_t bytes_per_element) {
  const std::uint64_t bytes = bytes_per_element != 0 ? bytes_per_element : size_of(type);
  if (bytes == 0) {
    throw Error(ErrorCode::InvalidArgument,
                "elements of a custom type have no size of their own; give bytes_per_element");
  }
  return bytes;
}

}  // namespace

const char* to_string(ElementType type) noexcept {
  static constexpr const char* kNames[] = {
      "custom", "int8",   "uint8",   "int16",   "uint16",    "int32",      "uint32",
      "int64",  "uint64", "float32", "float64", "complex64", "complex128", "float16"};
  const auto index = static_cast<std::size_t>(type);
  return index < std::size(kNames) ? kNames[index] : "unknown";
}

std::size_t size_of(ElementType type) noexcept {
  static constexpr std::size_t kSizes[] = {0, 1, 1, 2, 2, 4, 4, 8, 8, 4, 8, 8, 16, 2};
  const auto index = static_cast<std::size_t>(type);
  return index < std::size(kSizes) ? kSizes[index] : 0;
}

Tensor::Tensor(Tensor&& other) noexcept { *this = std::move(other); }

Tensor& Tensor::operator=(Tensor&& other) noexcept {
  if (this == &other) {
    return *this;
  }
  reset();
  shape_ = std::exchange(other.shape_, {});
  type_ = std::exchange(other.type_, ElementType::Custom);
  storage_ = std::exchange(other.storage_, MemoryStorageType::System);
  recorded_storage_ = std::exchange(other.recorded_storage_, MemoryStorageType::System);
  bytes_per_element_ = std::exchange(other.bytes_per_element_, 0);
  strides_ = std::exchange(other.strides_, {});
  pointer_ = std::exchange(other.pointer_, nullptr);
  owner_ = std::exchange(other.owner_, nullptr);
  release_ = std::exchange(other.release_, nullptr);
  allocated_ = std::exchange(other.allocated_, false);
  users_ = std::move(other.users_);
  return *this;
}

Tensor::~Tensor() { reset(); }

void Tensor::give_back() noexcept {
  const ReleaseFunction release = std::exchange(release_, nullptr);
  if (release == nullptr) {
    return;
  }
  if (allocated_ && !users_.empty()) {
    Allocator::release_after(*static_cast<Allocator*>(owner_), pointer_, users_);
  } else if (users_.empty() || users_.finish_on_host()) {
    release(owner_, pointer_);
  }
}

void Tensor::reset() noexcept {
  give_back();
  users_.clear();
  allocated_ = false;
  shape_ = {};
  type_ = ElementType::Custom;
  storage_ = MemoryStorageType::System;
  recorded_storage_ = MemoryStorageType::System;
  bytes_per_element_ = 0;
  strides_ = {};
  pointer_ = nullptr;
  owner_ = nullptr;
}

void Tensor::allocate(Allocator& allocator, const Shape& shape, ElementType type,
                      MemoryStorageType storage) {
  // `shape` may be this tensor's own, so it stays until wrap() has taken it over.
  const std::uint64_t bytes = bytes_of(shape, element_bytes(type, 0));
  give_back();
  try {
    void* const memory = allocator.allocate(bytes, storage);
    adopt(allocator, memory, shape, type, allocator.real_storage(storage));
  } catch (...) {
    reset();
    throw;
  }
  recorded_storage_ = storage;
}

void Tensor::adopt(Allocator& allocator, void* pointer, const Shape& shape, ElementType type,
                   MemoryStorageType storage, std::uint64_t bytes_per_element,
                   const Strides* strides) {
  wrap(pointer, shape, type, storage, &allocator, Allocator::release, bytes_per_element, strides);
  allocated_ = true;
  if (DeviceStream* const stream = current_device_stream(); stream != nullptr) {
    add_device_user(*stream);
  }
}

bool Tensor::add_device_user(DeviceStream& stream) const {
  if (storage_ == MemoryStorageType::System) {
    return false;
  }
  users_.add(stream);
  return true;
}

void Tensor::wrap(void* pointer, const Shape& shape, ElementType type, MemoryStorageType storage,
                  void* owner, ReleaseFunction release, std::uint64_t bytes_per_element,
                  const Strides* strides) {
  const std::uint64_t bytes = element_bytes(type, bytes_per_element);
  const Strides steps = strides != nullptr ? *strides : contiguous_strides(shape, bytes);
  require_addressable(shape, steps, bytes);
  if (pointer == nullptr && shape.element_count() > 0) {
    throw Error(ErrorCode::InvalidArgument,
                "a tensor of shape " + shape.to_string() + " cannot be at a null pointer");
  }
  give_back();
  users_.clear();
  allocated_ = false;
  shape_ = shape;
  type_ = type;
  storage_ = storage;
  recorded_storage_ = storage;
  bytes_per_element_ = bytes;
  strides_ = steps;
  std::fill(strides_.begin() + shape_.rank(), strides_.end(), 0);
  pointer_ = pointer;
  owner_ = owner;
  release_ = release;
}

bool Tensor::is_contiguous() const noexcept {
  if (element_count() == 0) {
    return true;
  }
  const Strides packed = contiguous_strides(shape_, bytes_per_element_);
  for (std::uint32_t i = 0; i < rank(); ++i) {
    if (shape_.dimension(i) != 1 && strides_[i] != packed[i]) {
      return false;
    }
  }
  return true;
}

std::uint64_t Tensor::span_bytes() const noexcept {
  if (element_count() == 0) {
    return 0;
  }
  std::uint64_t span = bytes_per_element_;
  for (std::uint32_t i = 0; i < rank(); ++i) {
    span += (static_cast<std::uint64_t>(shape_.dimension(i)) - 1) * strides_[i];
  }
  return span;
}

void Tensor::throw_wrong_type(ElementType wanted) const {
  throw Error(ErrorCode::WrongType, std::string("the tensor holds ") + to_string(type_) +
                                        " elements, not " + to_string(wanted));
}

}  // namespace gxr

// DLPack: its words for types and places, and tensors that share their memory by it.

#include <array>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "gxf/std/dlpack_utils.hpp"
#include "gxr/device_runtime.hpp"
#include "parts.hpp"

namespace nvidia::gxf {
namespace {

using layer::Closure;
using layer::to_native;

struct TypeWords {
  PrimitiveType type;
  DLDataTypeCode code;
  std::uint8_t bits;
  const char* numpy;
};

constexpr TypeWords kTypes[] = {
    {PrimitiveType::kInt8, kDLInt, 8, "|i1"},
    {PrimitiveType::kUnsigned8, kDLUInt, 8, "|u1"},
    {PrimitiveType::kInt16, kDLInt, 16, "<i2"},
    {PrimitiveType::kUnsigned16, kDLUInt, 16, "<u2"},
    {PrimitiveType::kInt32, kDLInt, 32, "<i4"},
    {PrimitiveType::kUnsigned32, kDLUInt, 32, "<u4"},
    {PrimitiveType::kInt64, kDLInt, 64, "<i8"},
    {PrimitiveType::kUnsigned64, kDLUInt, 64, "<u8"},
    {PrimitiveType::kFloat16, kDLFloat, 16, "<f2"},
    {PrimitiveType::kFloat32, kDLFloat, 32, "<f4"},
    {PrimitiveType::kFloat64, kDLFloat, 64, "<f8"},
    {PrimitiveType::kComplex64, kDLComplex, 64, "<c8"},
    {PrimitiveType::kComplex128, kDLComplex, 128, "<c16"},
};

Expected<DLDevice> device_of(const gxr::Tensor& tensor) {
  switch (tensor.storage_type()) {
    case gxr::MemoryStorageType::Host:
      return DLDevice{kDLCUDAHost, 0};
    case gxr::MemoryStorageType::Device:
      return DLDeviceFromPointer(const_cast<void*>(tensor.pointer()));
    case gxr::MemoryStorageType::System:
      break;
  }
  return DLDevice{kDLCPU, 0};
}

/// Says in DLPack's words what the elements of a tensor are.
Expected<void> describe(const gxr::Tensor& tensor, DLManagedTensorContext& context) {
  const auto type = PrimitiveTypeToDLDataType(static_cast<PrimitiveType>(tensor.element_type()));
  if (!type) {
    return ForwardError(type);
  }
  const std::uint64_t bytes = tensor.bytes_per_element();
  if (bytes != type.value().bits / 8U) {
    return Unexpected{GXF_INVALID_DATA_FORMAT};
  }
  const auto device = device_of(tensor);
  if (!device) {
    return ForwardError(device);
  }
  for (std::uint32_t i = 0; i < tensor.rank(); ++i) {
    if (tensor.stride(i) % bytes != 0) {
      return Unexpected{GXF_INVALID_DATA_FORMAT};
    }
    context.dl_shape.push_back(tensor.shape().dimension(i));
    context.dl_strides.push_back(static_cast<std::int64_t>(tensor.stride(i) / bytes));
  }
  DLTensor& target = context.tensor.dl_tensor;
  target.data = const_cast<void*>(tensor.pointer());
  target.device = device.value();
  target.ndim = static_cast<std::int32_t>(tensor.rank());
  target.dtype = type.value();
  target.shape = context.dl_shape.data();
  target.strides = context.dl_strides.data();
  return Success;
}

/// A tensor of somebody else and all that it keeps, given to a consumer.
struct Exported {
  DLManagedTensor managed{};
  std::shared_ptr<DLManagedTensorContext> context;

  static void release(DLManagedTensor* managed) {
    delete static_cast<Exported*>(managed->manager_ctx);
  }
};

Expected<void> import_tensor(Tensor& tensor, const DLTensor& source,
                             std::unique_ptr<Closure> closure) {
  const auto shape = ShapeFromDLTensor(&source);
  const auto strides = StridesFromDLTensor(&source);
  const auto storage = MemoryStorageTypeFromDLTensor(&source);
  const auto type = PrimitiveTypeFromDLDataType(source.dtype);
  const Expected<void> known = AllOf(shape, strides, storage, type);
  if (!known) {
    return known;
  }
  void* const memory = static_cast<byte*>(source.data) + source.byte_offset;
  return layer::attempt([&] {
    gxr::Tensor wrapped;
    wrapped.wrap(memory, to_native(shape.value()), to_native(type.value()),
                 to_native(storage.value()), closure.get(), Closure::run, 0, &strides.value());
    static_cast<void>(closure.release());
    to_native(tensor) = std::move(wrapped);
  });
}

void delete_managed(DLManagedTensor* managed) {
  if (managed->deleter != nullptr) {
    managed->deleter(managed);
  }
}

}  // namespace

Expected<Shape> ShapeFromDLTensor(const DLTensor* dl_tensor) {
  if (dl_tensor == nullptr || (dl_tensor->ndim > 0 && dl_tensor->shape == nullptr)) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  if (dl_tensor->ndim < 0 || dl_tensor->ndim > static_cast<std::int32_t>(Shape::kMaxRank)) {
    return Unexpected{GXF_ARGUMENT_OUT_OF_RANGE};
  }
  std::array<std::int32_t, Shape::kMaxRank> dimensions{};
  const auto rank = static_cast<std::uint32_t>(dl_tensor->ndim);
  for (std::uint32_t i = 0; i < rank; ++i) {
    const std::int64_t dimension = dl_tensor->shape[i];
    if (dimension < 0 || dimension > std::numeric_limits<std::int32_t>::max()) {
      return Unexpected{GXF_ARGUMENT_OUT_OF_RANGE};
    }
    dimensions[i] = static_cast<std::int32_t>(dimension);
  }
  return Shape(dimensions, rank);
}

Expected<Tensor::stride_array_t> StridesFromDLTensor(const DLTensor* dl_tensor) {
  const auto shape = ShapeFromDLTensor(dl_tensor);
  if (!shape) {
    return ForwardError(shape);
  }
  const std::uint64_t bytes = std::uint64_t{dl_tensor->dtype.bits} * dl_tensor->dtype.lanes / 8;
  Tensor::stride_array_t strides =
      ComputeTrivialStrides(shape.value(), static_cast<std::uint32_t>(bytes));
  for (std::uint32_t i = 0; dl_tensor->strides != nullptr && i < shape.value().rank(); ++i) {
    // Nobody steps along a dimension of one element, whose stride may be anything.
    if (shape.value().dimension(i) == 1) {
      continue;
    }
    if (dl_tensor->strides[i] < 0 ||
        __builtin_mul_overflow(static_cast<std::uint64_t>(dl_tensor->strides[i]), bytes,
                               &strides[i])) {
      return Unexpected{GXF_ARGUMENT_OUT_OF_RANGE};
    }
  }
  return strides;
}

Expected<MemoryStorageType> MemoryStorageTypeFromDLTensor(const DLTensor* dl_tensor) {
  if (dl_tensor == nullptr) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  switch (static_cast<int>(dl_tensor->device.device_type)) {
    case kDLCPU:
      return MemoryStorageType::kSystem;
    case kDLCUDAHost:
      return MemoryStorageType::kHost;
    case kDLCUDA:
      return MemoryStorageType::kDevice;
    case kDLCUDAManaged:
      return MemoryStorageType::kCudaManaged;
    default:
      return Unexpected{GXF_MEMORY_INVALID_STORAGE_MODE};
  }
}

Expected<PrimitiveType> PrimitiveTypeFromDLDataType(const DLDataType& dtype) {
  for (const TypeWords& words : kTypes) {
    if (words.code == dtype.code && words.bits == dtype.bits && dtype.lanes == 1) {
      return words.type;
    }
  }
  return Unexpected{GXF_INVALID_DATA_FORMAT};
}

Expected<DLDataType> PrimitiveTypeToDLDataType(PrimitiveType element_type, uint16_t lanes) {
  for (const TypeWords& words : kTypes) {
    if (words.type == element_type) {
      return DLDataType{static_cast<std::uint8_t>(words.code), words.bits, lanes};
    }
  }
  return Unexpected{GXF_INVALID_DATA_FORMAT};
}

Expected<DLDevice> DLDeviceFromPointer(void* pointer) {
  if (pointer == nullptr) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  DLDevice device{kDLCPU, 0};
  const Expected<void> asked = layer::attempt([&] {
    const gxr::DeviceRuntime* const runtime = gxr::DeviceRuntime::find();
    const int number = runtime != nullptr ? runtime->device_of(pointer) : -1;
    if (number >= 0) {
      device = {kDLCUDA, number};
    }
  });
  return ExpectedOrError(asked, device);
}

Expected<DLDataType> DLDataTypeFromTypeString(const std::string& typestr) {
  if (typestr.size() < 3 || std::string("<|=>").find(typestr[0]) == std::string::npos) {
    return Unexpected{GXF_INVALID_DATA_FORMAT};
  }
  for (const TypeWords& words : kTypes) {
    // The order of bytes, which comes first, says nothing of single ones.
    const bool order = words.bits == 8 || typestr[0] == '<' || typestr[0] == '=';
    if (order && typestr.compare(1, std::string::npos, words.numpy + 1) == 0) {
      return DLDataType{static_cast<std::uint8_t>(words.code), words.bits, 1};
    }
  }
  return Unexpected{GXF_INVALID_DATA_FORMAT};
}

Expected<const char*> numpyTypestr(DLDataType dtype) {
  for (const TypeWords& words : kTypes) {
    if (words.code == dtype.code && words.bits == dtype.bits && dtype.lanes == 1) {
      return words.numpy;
    }
  }
  return Unexpected{GXF_INVALID_DATA_FORMAT};
}

Expected<void> ComputeDLPackStrides(const DLTensor& tensor, std::vector<int64_t>& strides,
                                    bool to_num_elements) {
  const auto shape = ShapeFromDLTensor(&tensor);
  if (!shape) {
    return ForwardError(shape);
  }
  std::int64_t stride =
      to_num_elements ? 1 : std::int64_t{tensor.dtype.bits} * tensor.dtype.lanes / 8;
  strides.assign(static_cast<std::size_t>(tensor.ndim), 0);
  for (std::size_t i = strides.size(); i-- > 0;) {
    strides[i] = stride;
    stride *= tensor.shape[i];
  }
  return Success;
}

Expected<std::shared_ptr<DLManagedTensorContext>&> Tensor::toDLManagedTensorContext() {
  gxr::Tensor& native = to_native(*this);
  if (native.pointer() == nullptr) {
    return Unexpected{GXF_UNINITIALIZED_VALUE};
  }
  if (Closure* const known = layer::closure_of(native); known != nullptr && known->dlpack) {
    return known->dlpack;
  }
  auto closure = std::make_unique<Closure>();
  closure->dlpack = std::make_shared<DLManagedTensorContext>();
  const Expected<void> described = describe(native, *closure->dlpack);
  if (!described) {
    return ForwardError(described);
  }
  Closure* const made = closure.get();
  const Expected<void> shared = layer::attempt([&] {
    native.device_users().wait_on_host();  // consumers know nothing of gxr's streams
    auto owner = std::make_shared<gxr::Tensor>(std::move(native));
    closure->keeps = owner;
    closure->dlpack->memory_ref = owner;
    // NOLINTNEXTLINE(bugprone-use-after-move)
    native.wrap(owner->pointer(), owner->shape(), owner->element_type(), owner->storage_type(),
                closure.get(), Closure::run, owner->bytes_per_element(), &owner->strides());
    native.set_recorded_storage_type(owner->recorded_storage_type());
    static_cast<void>(closure.release());
  });
  if (!shared) {
    return ForwardError(shared);
  }
  return made->dlpack;
}

Expected<DLManagedTensor*> Tensor::toDLPack() {
  const auto context = toDLManagedTensorContext();
  if (!context) {
    return ForwardError(context);
  }
  auto exported = std::make_unique<Exported>();
  exported->context = context.value();
  exported->managed.dl_tensor = exported->context->tensor.dl_tensor;
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = Exported::release;
  return &exported.release()->managed;
}

Expected<void> Tensor::fromDLPack(const DLManagedTensor* dl_managed_tensor) {
  if (dl_managed_tensor == nullptr) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  auto* const managed = const_cast<DLManagedTensor*>(dl_managed_tensor);
  auto closure = std::make_unique<Closure>();
  closure->release = [managed](void*) {
    delete_managed(managed);
    return Success;
  };
  return import_tensor(*this, managed->dl_tensor, std::move(closure));
}

Expected<void> Tensor::fromDLPack(std::shared_ptr<DLManagedTensorContext> dl_context) {
  if (dl_context == nullptr) {
    return Unexpected{GXF_ARGUMENT_NULL};
  }
  auto closure = std::make_unique<Closure>();
  closure->dlpack = std::move(dl_context);
  closure->keeps = closure->dlpack;
  const DLTensor& source = closure->dlpack->tensor.dl_tensor;
  return import_tensor(*this, source, std::move(closure));
}

}  // namespace nvidia::gxf

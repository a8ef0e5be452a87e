#include "gxr/dlpack.hpp"

#include <cstddef>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <utility>

#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"
#include "gxr/tensor.hpp"

namespace gxr {
namespace {

// The layout that all producers and consumers agree on, whichever header declared it.
static_assert(sizeof(DLDevice) == 8 && sizeof(DLDataType) == 4);
static_assert(sizeof(DLTensor) == 48 && sizeof(DLManagedTensor) == 64);
static_assert(offsetof(DLTensor, device) == 8 && offsetof(DLTensor, ndim) == 16);
static_assert(offsetof(DLTensor, dtype) == 20 && offsetof(DLTensor, shape) == 24);
static_assert(offsetof(DLTensor, strides) == 32 && offsetof(DLTensor, byte_offset) == 40);
static_assert(offsetof(DLManagedTensor, manager_ctx) == 48);
static_assert(offsetof(DLManagedTensor, deleter) == 56);

struct TypePair {
  ElementType type;
  DLDataTypeCode code;
  std::uint8_t bits;
};

constexpr TypePair kTypes[] = {
    {ElementType::Int8, kDLInt, 8},
    {ElementType::UInt8, kDLUInt, 8},
    {ElementType::Int16, kDLInt, 16},
    {ElementType::UInt16, kDLUInt, 16},
    {ElementType::Int32, kDLInt, 32},
    {ElementType::UInt32, kDLUInt, 32},
    {ElementType::Int64, kDLInt, 64},
    {ElementType::UInt64, kDLUInt, 64},
    {ElementType::Float16, kDLFloat, 16},
    {ElementType::Float32, kDLFloat, 32},
    {ElementType::Float64, kDLFloat, 64},
    {ElementType::Complex64, kDLComplex, 64},
    {ElementType::Complex128, kDLComplex, 128},
};

[[noreturn]] void refuse(const std::string& text) {
  throw Error(ErrorCode::NotSupported, "DLPack: " + text);
}

[[noreturn]] void broken(const std::string& text) {
  throw Error(ErrorCode::InvalidData, "DLPack: " + text);
}

ElementType imported_type(const DLDataType& type) {
  if (type.lanes != 1) {
    refuse("elements of " + std::to_string(type.lanes) + " lanes");
  }
  for (const TypePair& pair : kTypes) {
    if (pair.code == type.code && pair.bits == type.bits) {
      return pair.type;
    }
  }
  refuse("element type code " + std::to_string(type.code) + " with " + std::to_string(type.bits) +
         " bits");
}

DLDataType exported_type(const Tensor& tensor) {
  for (const TypePair& pair : kTypes) {
    if (pair.type == tensor.element_type() && pair.bits / 8U == tensor.bytes_per_element()) {
      return {static_cast<std::uint8_t>(pair.code), pair.bits, 1};
    }
  }
  refuse(std::string("a tensor of ") + to_string(tensor.element_type()) + " elements of " +
         std::to_string(tensor.bytes_per_element()) + " bytes cannot be exported");
}

MemoryStorageType imported_storage(const DLDevice& device) {
  switch (static_cast<int>(device.device_type)) {
    case kDLCPU:
      return MemoryStorageType::System;
    case kDLCUDAHost:
      return MemoryStorageType::Host;
    case kDLCUDA:
      if (DeviceRuntime::find() == nullptr) {
        refuse("memory of a CUDA device, but " + DeviceRuntime::why_none());
      }
      return MemoryStorageType::Device;
    default:
      refuse("memory of device type " + std::to_string(static_cast<int>(device.device_type)) +
             "; memory of the host and of CUDA devices can be imported");
  }
}

DLDevice exported_device(const Tensor& tensor) {
  if (tensor.storage_type() == MemoryStorageType::Device) {
    return {kDLCUDA, DeviceRuntime::get().device_of(tensor.pointer())};
  }
  const bool page_locked = tensor.storage_type() == MemoryStorageType::Host;
  return {page_locked ? kDLCUDAHost : kDLCPU, 0};
}

Shape imported_shape(const DLTensor& tensor) {
  if (tensor.ndim < 0 || (tensor.ndim > 0 && tensor.shape == nullptr)) {
    broken("a tensor without a shape");
  }
  if (tensor.ndim > static_cast<int>(Shape::kMaxRank)) {
    refuse("a tensor of " + std::to_string(tensor.ndim) + " dimensions; 8 are possible");
  }
  std::array<std::int32_t, Shape::kMaxRank> extents{};
  for (int i = 0; i < tensor.ndim; ++i) {
    const std::int64_t extent = tensor.shape[i];
    if (extent < 0) {
      broken("dimension " + std::to_string(i) + " is negative: " + std::to_string(extent));
    }
    if (extent > std::numeric_limits<std::int32_t>::max()) {
      refuse("dimension " + std::to_string(i) + " is too large: " + std::to_string(extent));
    }
    extents[static_cast<std::size_t>(i)] = static_cast<std::int32_t>(extent);
  }
  return Shape(extents.data(), static_cast<std::size_t>(tensor.ndim));
}

/// Strides in bytes. Those of dimensions that are never stepped along may be anything in DLPack.
Strides imported_strides(const DLTensor& tensor, const Shape& shape, std::uint64_t bytes) {
  Strides strides = contiguous_strides(shape, bytes);
  if (tensor.strides == nullptr || shape.element_count() == 0) {
    return strides;
  }
  for (std::uint32_t i = 0; i < shape.rank(); ++i) {
    if (shape.dimension(i) == 1) {
      continue;
    }
    if (tensor.strides[i] < 0) {
      refuse("dimension " + std::to_string(i) + " has a negative stride");
    }
    if (__builtin_mul_overflow(static_cast<std::uint64_t>(tensor.strides[i]), bytes, &strides[i])) {
      broken("the stride of dimension " + std::to_string(i) + " is too large");
    }
  }
  return strides;
}

void* imported_pointer(const DLTensor& tensor) {
  const auto address = reinterpret_cast<std::uintptr_t>(tensor.data);
  std::uintptr_t start = 0;
  if (__builtin_add_overflow(address, tensor.byte_offset, &start)) {
    broken("byte_offset is too large");
  }
  return tensor.data == nullptr ? nullptr
                                : static_cast<std::byte*>(tensor.data) + tensor.byte_offset;
}

void release_import(void* owner, void*) noexcept {
  auto* managed = static_cast<DLManagedTensor*>(owner);
  if (managed->deleter != nullptr) {
    managed->deleter(managed);
  }
}

/// An exported tensor with all that the DLPack structure points to.
struct Export {
  DLManagedTensor managed{};
  Tensor tensor;
  std::array<std::int64_t, Shape::kMaxRank> shape{};
  std::array<std::int64_t, Shape::kMaxRank> strides{};

  static void release(DLManagedTensor* managed) {
    delete static_cast<Export*>(managed->manager_ctx);
  }
};

std::int64_t exported_stride(const Tensor& tensor, std::uint32_t index) {
  const std::uint64_t stride = tensor.stride(index);
  if (stride % tensor.bytes_per_element() != 0) {
    refuse("the stride of dimension " + std::to_string(index) + " (" + std::to_string(stride) +
           " bytes) is no multiple of the element's " + std::to_string(tensor.bytes_per_element()) +
           " bytes");
  }
  const std::uint64_t elements = stride / tensor.bytes_per_element();
  if (elements > static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max())) {
    refuse("the stride of dimension " + std::to_string(index) + " is too large");
  }
  return static_cast<std::int64_t>(elements);
}

}  // namespace

Tensor Tensor::from_dlpack(DLManagedTensor* managed) {
  if (managed == nullptr) {
    throw Error(ErrorCode::InvalidArgument, "DLPack: a null tensor");
  }
  const DLTensor& source = managed->dl_tensor;
  const MemoryStorageType storage = imported_storage(source.device);
  const ElementType type = imported_type(source.dtype);
  const Shape shape = imported_shape(source);
  const Strides strides = imported_strides(source, shape, size_of(type));
  void* pointer = imported_pointer(source);
  if (pointer == nullptr && shape.element_count() > 0) {
    broken("a tensor of shape " + shape.to_string() + " without memory");
  }
  Tensor tensor;
  tensor.wrap(pointer, shape, type, storage, managed, release_import, 0, &strides);
  return tensor;
}

DLManagedTensor* Tensor::to_dlpack(Tensor tensor) {
  auto exported = std::make_unique<Export>();
  tensor.device_users().wait_on_host();  // the consumer knows nothing of gxr's streams
  DLTensor& target = exported->managed.dl_tensor;
  target.dtype = exported_type(tensor);
  target.device = exported_device(tensor);
  for (std::uint32_t i = 0; i < tensor.rank(); ++i) {
    exported->shape[i] = tensor.shape().dimension(i);
    exported->strides[i] = exported_stride(tensor, i);
  }
  target.data = tensor.pointer();
  target.ndim = static_cast<std::int32_t>(tensor.rank());
  target.shape = exported->shape.data();
  target.strides = exported->strides.data();
  exported->tensor = std::move(tensor);
  exported->managed.manager_ctx = exported.get();
  exported->managed.deleter = Export::release;
  return &exported.release()->managed;
}

}  // namespace gxr

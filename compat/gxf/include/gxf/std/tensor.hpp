#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <memory>
#include <string>
#include <vector>

#if __has_include(<cuda_runtime.h>)
#include <cuda_runtime.h>
#endif
#include <dlpack/dlpack.h>

#include "common/byte.hpp"
#include "gxf/core/entity.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/core/export.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/std/allocator.hpp"
#include "gxf/std/memory_buffer.hpp"
#include "gxf/std/memory_storage.hpp"
#include "gxf/std/primitive_type.hpp"
#include "gxf/std/shape.hpp"

namespace nvidia {
namespace gxf {

/// A DLPack tensor with all that it points to; whoever has a part in it keeps the memory.
struct DLManagedTensorContext {
  DLManagedTensor tensor{};
  std::shared_ptr<void> memory_ref;
  std::vector<int64_t> dl_shape;
  std::vector<int64_t> dl_strides;
};

/// An n-dimensional array. The same part of a message as gxr::Tensor, which is what an object of
/// this class contains.
///
/// Unlike in GXF, storage_type() is where the memory really is, which differs from what was asked
/// for on machines without a GPU; kCudaManaged reads back as kHost; elements are not at a null
/// pointer and have at least one byte; DLPack of a tensor that an allocator made makes its memory
/// wait for the device on the host when it is given back.
class GXR_GXF_API Tensor {
 public:
  static constexpr uint32_t kMaxRank = Shape::kMaxRank;
  /// Bytes from one element to the next along each dimension.
  using stride_array_t = std::array<uint64_t, kMaxRank>;
  using release_function_t = MemoryBuffer::release_function_t;

  Tensor();
  // An error leaves the tensor empty and is logged; see fromDLPack().
  explicit Tensor(const DLManagedTensor* dl_managed_tensor);
  explicit Tensor(std::shared_ptr<DLManagedTensorContext> dl_context);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(Tensor&& other) noexcept;
  Tensor(const Tensor&) = delete;
  Tensor& operator=(const Tensor&) = delete;
  ~Tensor();

  [[nodiscard]] MemoryStorageType storage_type() const;
  [[nodiscard]] const Shape& shape() const;
  [[nodiscard]] uint32_t rank() const { return shape().rank(); }
  [[nodiscard]] PrimitiveType element_type() const;
  [[nodiscard]] uint64_t bytes_per_element() const;
  [[nodiscard]] uint64_t element_count() const { return shape().size(); }
  /// Bytes of all elements, without gaps.
  [[nodiscard]] std::size_t size() const;
  [[nodiscard]] byte* pointer() const;
  /// Bytes from one element to the next along a dimension; 0 beyond the rank.
  [[nodiscard]] uint64_t stride(uint32_t index) const;
  /// Bytes from the first element to behind the last of the first dimension.
  [[nodiscard]] uint64_t bytes_size() {
    return static_cast<uint64_t>(shape().dimension(0)) * stride(0);
  }

  /// The elements; GXF_INVALID_DATA_FORMAT unless they are of type T or kCustom.
  template <typename T>
  Expected<T*> data() {
    if (!holds(PrimitiveTypeTraits<T>::value)) {
      return Unexpected{GXF_INVALID_DATA_FORMAT};
    }
    return reinterpret_cast<T*>(pointer());
  }
  template <typename T>
  Expected<const T*> data() const {
    if (!holds(PrimitiveTypeTraits<T>::value)) {
      return Unexpected{GXF_INVALID_DATA_FORMAT};
    }
    return reinterpret_cast<const T*>(pointer());
  }

  /// Other memory without gaps, from an allocator that outlives the tensor; its content is
  /// undefined.
  template <typename T>
  Expected<void> reshape(const Shape& shape, MemoryStorageType storage_type,
                         Handle<Allocator> allocator) {
    return reshapeCustom(shape, PrimitiveTypeTraits<T>::value, PrimitiveTypeTraits<T>::size,
                         Unexpected{GXF_UNINITIALIZED_VALUE}, storage_type, allocator);
  }
  /// The same for any elements. An error in the place of strides: no gaps. As in GXF, the memory
  /// has no room for gaps.
  Expected<void> reshapeCustom(const Shape& shape, PrimitiveType element_type,
                               uint64_t bytes_per_element, Expected<stride_array_t> strides,
                               MemoryStorageType storage_type, Handle<Allocator> allocator);
  /// Memory of somebody else; see MemoryBuffer::wrapMemory(). toDLPack() makes a new context after
  /// that, if it is to be reset.
  Expected<void> wrapMemory(const Shape& shape, PrimitiveType element_type,
                            uint64_t bytes_per_element, Expected<stride_array_t> strides,
                            MemoryStorageType storage_type, void* pointer,
                            release_function_t release_func, bool reset_dlpack = true);
  /// Takes over a buffer; GXF_ARGUMENT_INVALID if it is too small for the elements.
  Expected<void> wrapMemoryBuffer(const Shape& shape, PrimitiveType element_type,
                                  uint64_t bytes_per_element, Expected<stride_array_t> strides,
                                  MemoryBuffer buffer);
  /// Gives the memory away; the tensor is empty then.
  MemoryBuffer move_buffer();

  // Other views of the same elements, without a copy.

  /// Dimension i becomes what dimension axes[i] was.
  Expected<void> permute(std::initializer_list<uint32_t> axes);
  /// Other dimensions for as many elements without gaps.
  Expected<void> noCopyReshape(std::initializer_list<int32_t> dimensions);
  /// A new dimension of extent 1 in front of another one.
  Expected<void> insertSingletonDim(uint32_t dimension);
  /// Do the elements follow each other in row-major order without gaps?
  [[nodiscard]] Expected<bool> isContiguous() const;

  /// The tensor as DLPack, which keeps the memory until the consumer calls the deleter. Returns
  /// when the device work on it that gxr knows of is done.
  Expected<DLManagedTensor*> toDLPack();
  /// The same as an object that the tensor keeps, too.
  Expected<std::shared_ptr<DLManagedTensorContext>&> toDLManagedTensorContext();
  /// Takes over a DLPack tensor: its deleter runs when the memory is given back. After an error it
  /// still is the caller's.
  Expected<void> fromDLPack(const DLManagedTensor* dl_managed_tensor);
  /// Takes a part in a DLPack tensor.
  Expected<void> fromDLPack(std::shared_ptr<DLManagedTensorContext> dl_context);

 private:
  [[nodiscard]] bool holds(PrimitiveType type) const {
    const PrimitiveType own = element_type();
    return own == type || own == PrimitiveType::kCustom;
  }

  alignas(8) unsigned char native_[184];  // a gxr::Tensor
};

/// Strides without gaps, row-major.
GXR_GXF_API Tensor::stride_array_t ComputeTrivialStrides(const Shape& shape,
                                                         uint32_t bytes_per_element);
/// Each stride rounded up to a multiple of its step. That of the last dimension is its step.
GXR_GXF_API Tensor::stride_array_t ComputeStrides(const Shape& shape,
                                                  const Tensor::stride_array_t& stride_steps);
/// Strides of pictures [..., rows, columns, channels]: a row begins at a multiple of `row_step`.
/// GXF_ARGUMENT_INVALID for less than three dimensions.
GXR_GXF_API Expected<Tensor::stride_array_t> ComputeRowStrides(const Shape& shape,
                                                               uint32_t row_step,
                                                               uint32_t bytes_per_element);

/// What a tensor of a message is to be.
struct TensorDescription {
  std::string name;
  MemoryStorageType storage_type;
  Shape shape;
  PrimitiveType element_type;
  uint64_t bytes_per_element;
  Expected<Tensor::stride_array_t> strides = Unexpected{GXF_UNINITIALIZED_VALUE};
};

/// A new message with these tensors. Nothing can be added to a message that was activated.
GXR_GXF_API Expected<Entity> CreateTensorMap(gxf_context_t context, Handle<Allocator> pool,
                                             std::initializer_list<TensorDescription> descriptions,
                                             bool activate = true);

}  // namespace gxf
}  // namespace nvidia

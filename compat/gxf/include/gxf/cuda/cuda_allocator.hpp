#pragma once

#include <cstddef>
#include <cstdint>

#include "gxf/core/expected.hpp"
#include "gxf/cuda/cuda_types.hpp"
#include "gxf/std/allocator.hpp"

namespace gxr {
namespace cuda {

class CudaAllocator;

}  // namespace cuda
}  // namespace gxr

namespace nvidia {
namespace gxf {

/// Gives device memory in the order of a stream's work. Sources may derive from it.
class GXR_GXF_API CudaAllocator : public Allocator {
 public:
  ~CudaAllocator() override;

  virtual gxf_result_t allocate_async_abi(std::uint64_t size, void** pointer,
                                          cudaStream_t stream) = 0;
  virtual gxf_result_t free_async_abi(void* pointer, cudaStream_t stream) = 0;
  /// Bytes of this kind of memory that the allocator has taken, given out or not.
  virtual Expected<std::size_t> get_pool_size(MemoryStorageType type) const = 0;

  Expected<byte*> allocate_async(std::uint64_t size, cudaStream_t stream);
  Expected<void> free_async(byte* pointer, cudaStream_t stream);
};

/// An allocator of this kind that gxr has itself. Its streams are those of gxr.
class GXR_GXF_API NativeCudaAllocator : public CudaAllocator {
 public:
  explicit NativeCudaAllocator(gxr::cuda::CudaAllocator& allocator) noexcept
      : allocator_(allocator) {}
  ~NativeCudaAllocator() override;

  gxf_result_t is_available_abi(std::uint64_t size) override;
  gxf_result_t allocate_abi(std::uint64_t size, std::int32_t type, void** pointer) override;
  gxf_result_t free_abi(void* pointer) override;
  std::uint64_t block_size_abi() const override;
  gxf_result_t allocate_async_abi(std::uint64_t size, void** pointer, cudaStream_t stream) override;
  gxf_result_t free_async_abi(void* pointer, cudaStream_t stream) override;
  /// GXF_NOT_IMPLEMENTED but for device memory.
  Expected<std::size_t> get_pool_size(MemoryStorageType type) const override;
  gxr::cuda::CudaAllocator& native() const noexcept { return allocator_; }

 private:
  gxr::cuda::CudaAllocator& allocator_;
};

}  // namespace gxf
}  // namespace nvidia

#pragma once

#include <cstddef>

#include "gxr/allocator.hpp"
#include "gxr/device_work.hpp"
#include "gxr/export.hpp"

namespace gxr::cuda {

/// Gives device memory in the order of a stream's work.
class GXR_API CudaAllocator : public Allocator {
 public:
  ~CudaAllocator() override;

  /// Like allocate() and free(), but the memory may be used, and is given back, when the work that
  /// `stream` has so far is done. Throws Error(NotFound) for a stream that gxr did not make.
  virtual void* allocate_async(std::size_t size, CUstream_st* stream) = 0;
  /// See allocate_async().
  virtual void free_async(void* pointer, CUstream_st* stream) = 0;
};

}  // namespace gxr::cuda

#pragma once

#include <mutex>
#include <vector>

#include "gxf/core/expected.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/cuda/cuda_stream.hpp"
#include "gxf/std/allocator.hpp"

namespace gxr {
namespace cuda {

class CudaStreamPool;

}  // namespace cuda
}  // namespace gxr

namespace nvidia {
namespace gxf {

/// gxr's pool of CUDA streams; not before its initialize(), so from start() on. Thread-safe.
class GXR_GXF_API CudaStreamPool : public NativeAllocator {
 public:
  explicit CudaStreamPool(gxr::cuda::CudaStreamPool& pool) noexcept;  ///< of the layer
  ~CudaStreamPool() override;

  /// A stream for the caller alone until releaseStream().
  Expected<Handle<CudaStream>> allocateStream();
  /// Takes back what allocateStream() gave. Waits for the events recorded on it, not for its other
  /// work.
  Expected<void> releaseStream(Handle<CudaStream> stream);

 private:
  gxr::cuda::CudaStreamPool& pool_;
  std::mutex mutex_;
  std::vector<gxr::DeviceStream*> lent_;
};

}  // namespace gxf
}  // namespace nvidia

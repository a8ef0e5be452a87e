#pragma once

#include <functional>

#include "gxf/core/entity.hpp"
#include "gxf/core/expected.hpp"
#include "gxf/core/export.hpp"
#include "gxf/core/handle.hpp"
#include "gxf/cuda/cuda_event.hpp"
#include "gxf/cuda/cuda_types.hpp"

namespace gxr {

class DeviceStream;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// A CUDA stream, from a CudaStreamPool or of a message. The same as gxr::cuda::CudaStream: it says
/// which stream of gxr it is. Thread-safe.
///
/// Events that were recorded, and what belongs to them, are kept until a later record() finds that
/// they have happened, or until resetEvents() or syncStream(). Their functions are called there.
class GXR_GXF_API CudaStream {
 public:
  CudaStream() = default;
  explicit CudaStream(gxr::DeviceStream& stream) noexcept : stream_(&stream) {}  ///< of the layer
  CudaStream(const CudaStream&) = delete;
  CudaStream& operator=(const CudaStream&) = delete;

  /// GXF_UNINITIALIZED_VALUE for one without a stream.
  Expected<cudaStream_t> stream() const;
  /// Number of the GPU; -1 for one without a stream.
  int dev_id() const;

  /// Records the event behind the work so far. `input` is kept until it has happened, and `synced`
  /// is called then.
  Expected<void> record(Handle<CudaEvent> event, Entity input,
                        std::function<void()> synced = nullptr);
  /// The same with an event that `destroy` gets when it has happened.
  Expected<void> record(cudaEvent_t event, std::function<void(cudaEvent_t)> destroy);
  /// Waits for the recorded events, and drops them.
  Expected<void> resetEvents();
  /// Waits for all work of the stream and for the recorded events, and drops these.
  Expected<void> syncStream();

 private:
  gxr::DeviceStream* stream_ = nullptr;
};

}  // namespace gxf
}  // namespace nvidia

#pragma once

#include "gxr/codelet.hpp"
#include "gxr/cuda/streams.hpp"
#include "gxr/device_choice.hpp"
#include "gxr/tensor.hpp"

namespace gxr::image {

class GpuTick;

/// What the choices of `device` mean for a codelet that works on pictures that it receives.
inline constexpr const char* kDeviceOfInput =
    "auto: where the input is: the GPU for a tensor in device memory. gpu: an input in other "
    "memory "
    "is copied to the GPU first. cpu: an input in device memory is copied to the host first, which "
    "waits for it.";

/// Where a codelet of this extension works on its pixels: its parameters `device` and
/// `cuda_stream_pool`, and its streams when that is a GPU. No GPU is touched before it is needed.
class Placement {
 public:
  /// Declares the parameters; `description` says what the choices of `device` mean.
  void declare(Interface& interface, const char* description);
  /// Call in initialize(). Throws Error(NotSupported) when the YAML asks for a GPU and there is
  /// none.
  void initialize(Codelet& codelet);
  /// Hands the streams back. Call in stop().
  void release() noexcept { streams_.release(); }

  /// Does it work on the GPU, for pictures that are, or will be, in such memory? System: none that
  /// is known.
  [[nodiscard]] bool is_on_gpu(MemoryStorageType storage) const;

 private:
  friend class GpuTick;

  /// The streams, found the first time. Throws Error(NotSupported) without a GPU.
  cuda::Streams& streams();

  Parameter<DeviceChoice> device_;
  cuda::Streams streams_;
  Codelet* codelet_ = nullptr;
};

}  // namespace gxr::image

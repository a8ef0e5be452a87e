#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

#include "device/device_graph.hpp"

namespace gxr::cuda {

/// A part of a device's L2 cache, set aside for memory that kernels ask it to keep. Those of all
/// graphs add up, to what the device can set aside; with the last one, what the device had before
/// comes back. Thread-safe.
class L2Reservation {
 public:
  L2Reservation() = default;
  /// Takes effect at once, or when no loop runs any more: CUDA might wait for its end.
  L2Reservation(int device, std::size_t bytes);
  L2Reservation(L2Reservation&& other) noexcept;
  L2Reservation& operator=(L2Reservation&& other) noexcept;
  ~L2Reservation();
  /// The part stays set aside.
  void release() noexcept { bytes_ = 0; }

 private:
  int device_ = 0;
  std::size_t bytes_ = 0;
};

/// The window for kernels of a device that keep `memory`; its num_bytes are 0 when the device keeps
/// none. Of memory that is greater than what can be set aside, so much of the accesses is kept as
/// fits, lest they push each other out.
cudaAccessPolicyWindow l2_window(int device, const DeviceRange& memory);

}  // namespace gxr::cuda

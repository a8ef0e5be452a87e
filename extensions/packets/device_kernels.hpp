#pragma once

#include <cstddef>

#include "gxr/graph_operator.hpp"
#include "packets/reception.hpp"

struct CUstream_st;

namespace gxr::cuda {

/// A Reception in device memory, whose reader the first kernel makes of `ring`.
struct DeviceReception {
  RingView ring;
  bool is_open = false;
  Reception reception;
};

/// The same of a Transmission.
struct DeviceTransmission {
  RingView ring;
  bool is_open = false;
  Transmission transmission;
};

/// The functions of packets_cuda.so.
struct DeviceKernels {
  /// Page-locks memory of the host for all GPUs; returns its address for the current one. Throws
  /// Error(Device).
  void* (*pin)(void* memory, std::size_t bytes);
  /// Waits until no loop runs on a GPU any more.
  void (*unpin)(void* memory);
  /// If the last frame was taken and another one is there: copies its elements to `out`, gives it
  /// back and rings.
  void (*receive)(DeviceReception* state, const FrameLayout& layout, bool keep_late,
                  const Doorbell& bell, std::byte* out, CUstream_st* stream);
  /// Writes a frame, or counts that there is no room.
  void (*send)(DeviceTransmission* state, const FrameLayout& layout, const std::byte* in,
               CUstream_st* stream);
};

/// Name and type of the function by which packets_cuda.so gives them.
inline constexpr const char* kGetDeviceKernels = "gxr_packets_device_kernels";
using GetDeviceKernels = const DeviceKernels* (*)();

/// Loads packets_cuda.so the first time. Throws Error(NotSupported), which says why, without a GPU.
const DeviceKernels& device_kernels();

}  // namespace gxr::cuda

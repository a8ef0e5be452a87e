#pragma once

// For sources that include CUDA's headers.

#include <cuda_runtime_api.h>

#include "gxr/device_runtime.hpp"

namespace gxr::cuda {

/// Throws Error(Device) with CUDA's name and text of the error unless the call succeeded; `call`
/// is its name. After a fault of the GPU it says whose work that may have been. Within a tick the
/// engine adds entity and component.
inline void check(cudaError_t error, const char* call) {
  if (error != cudaSuccess) {
    DeviceRuntime::get().fail(call, static_cast<int>(error));
  }
}

/// The same for the kernel that was launched last on this thread.
inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace gxr::cuda

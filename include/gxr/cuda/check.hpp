#pragma once

// For sources that include CUDA's headers.

#include <string>

#include <cuda_runtime_api.h>

#include "gxr/error.hpp"

namespace gxr::cuda {

/// Throws Error(Device) with CUDA's name and text of the error unless the call succeeded; `call`
/// is its name. Within a tick the engine adds entity and component.
inline void check(cudaError_t error, const char* call) {
  if (error != cudaSuccess) {
    throw Error(ErrorCode::Device, std::string(call) + ": " + cudaGetErrorName(error) + " (" +
                                       std::to_string(static_cast<int>(error)) + "), " +
                                       cudaGetErrorString(error));
  }
}

/// The same for the kernel that was launched last on this thread.
inline void check_launch(const char* kernel) { check(cudaGetLastError(), kernel); }

}  // namespace gxr::cuda

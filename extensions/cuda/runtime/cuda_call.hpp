#pragma once

#include <string>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

/// Throws Error(Device): "cudaMalloc: cudaErrorIllegalAddress (700), an illegal memory access was
/// encountered", for errors that end all work of a device followed by whose work it may have been.
[[noreturn]] void throw_cuda_error(const char* call, cudaError_t error);

inline void cuda_check(const char* call, cudaError_t error) {
  if (error != cudaSuccess) {
    throw_cuda_error(call, error);
  }
}

/// "cudaMalloc: cudaErrorMemoryAllocation (2), out of memory".
[[nodiscard]] std::string cuda_error_text(const char* call, cudaError_t error);

/// Did this error end all work of the process's devices, so that every later call fails, too?
[[nodiscard]] bool is_sticky(cudaError_t error) noexcept;

}  // namespace gxr::cuda

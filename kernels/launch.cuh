#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime.h>

#include "gxr/kernels/stream.hpp"

/// Putting kernels on streams.

namespace gxr::kernels {

/// Throws std::invalid_argument for the legacy default stream, by either of its names.
void require_stream(Stream stream);

/// Throws std::runtime_error with the function's name, and CUDA's name and text of the error.
void require_success(cudaError_t error, const char* function);

/// Throws std::invalid_argument unless the workspace is there and aligned to 16 bytes.
void require_workspace(const void* workspace);

/// Multiprocessors of the current device.
int multiprocessor_count(const char* function);

struct LaunchShape {
  dim3 grid;
  dim3 block;
  std::size_t dynamic_bytes = 0;  ///< of shared memory
};

/// Starts a kernel; `function` is the name for errors.
template <class... Parameters, class... Arguments>
void launch(const char* function, const LaunchShape& shape, Stream stream,
            void (*kernel)(Parameters...), const Arguments&... arguments) {
  cudaLaunchConfig_t config{};
  config.gridDim = shape.grid;
  config.blockDim = shape.block;
  config.dynamicSmemBytes = shape.dynamic_bytes;
  config.stream = stream;
  require_success(cudaLaunchKernelEx(&config, kernel, static_cast<Parameters>(arguments)...),
                  function);
}

}  // namespace gxr::kernels

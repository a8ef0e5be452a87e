#pragma once

#include <cstdint>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

/// Puts a kernel on the stream that adds 1 to a number in device memory.
void launch_count(std::uint64_t* counter, cudaStream_t stream);

}  // namespace gxr::cuda

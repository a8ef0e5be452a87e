#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

/// The blocks that measure: as many as small kernels have.
inline constexpr unsigned kLatencyBlocks = 2;
inline constexpr std::size_t kLatencyPage = 4096;

/// Puts a kernel on the stream that measures how far each page is: cycles[block * pages + page],
/// for 16 atomic operations, one after the other, which work in the L2 cache. `memory` is aligned
/// to 256 bytes and full of zeros, and stays so.
void launch_latency(void* memory, std::uint32_t pages, std::uint32_t* cycles, cudaStream_t stream);

}  // namespace gxr::cuda

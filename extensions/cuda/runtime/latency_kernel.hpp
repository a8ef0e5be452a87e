#pragma once

#include <cstddef>
#include <cstdint>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

/// As many blocks as measure: what small kernels have.
inline constexpr unsigned kLatencyBlocks = 2;
inline constexpr std::size_t kLatencyPage = 4096;

/// Puts a kernel on the stream that measures how long reads of each page take that come from the
/// L2 cache: cycles[block * pages + page], for 15 reads. `memory` is aligned to 256 bytes and full
/// of zeros.
void launch_latency(const void* memory, std::uint32_t pages, std::uint32_t* cycles,
                    cudaStream_t stream);

}  // namespace gxr::cuda

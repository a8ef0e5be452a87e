#pragma once

#include "tile.cuh"

/// Pictures reduced to a few numbers in two steps: a fixed number of blocks each write a partial
/// result, then one block joins them. The order of the sums depends on the picture's shape alone,
/// so that results repeat, on any device.
///
/// Partial results are types with `add(more)` and `from_lane(offset)`, the value of the thread that
/// many lanes above. They are trivial, because they also lie in shared memory.

namespace gxr::kernels {

/// As many as find room at once on a GPU with 128 multiprocessors or more, four on each.
constexpr int kReducingBlocks = 512;
constexpr std::int64_t kReducingWarps = std::int64_t{kReducingBlocks} * kWarpsPerBlock;

inline LaunchShape reducing_shape() {
  return {dim3(kReducingBlocks), dim3(kWarpSize, kWarpsPerBlock)};
}

/// This thread's warp among all of the grid.
__device__ inline std::int64_t reducing_warp() {
  return std::int64_t{blockIdx.x} * kWarpsPerBlock + warp_in_block();
}

template <class Partial>
__device__ Partial sum_of_warp(Partial partial) {
#pragma unroll
  for (int offset = kWarpSize / 2; offset > 0; offset /= 2) {
    partial.add(partial.from_lane(offset));
  }
  return partial;
}

/// Valid in the first thread of a block of Warps warps; all threads must call it.
template <class Partial, int Warps>
__device__ Partial sum_of_block(const Partial& partial, Partial (&warp_sums)[Warps]) {
  const auto thread = (threadIdx.z * blockDim.y + threadIdx.y) * blockDim.x + threadIdx.x;
  const Partial of_warp = sum_of_warp(partial);
  if (thread % kWarpSize == 0) {
    warp_sums[thread / kWarpSize] = of_warp;
  }
  __syncthreads();
  Partial sum = warp_sums[0];
  if (thread == 0) {
#pragma unroll 4
    for (int warp = 1; warp < Warps; ++warp) {
      sum.add(warp_sums[warp]);
    }
  }
  return sum;
}

template <class Partial>
__device__ void write_block_sum(const Partial& partial, Partial (&warp_sums)[kWarpsPerBlock],
                                Partial* partials) {
  const Partial sum = sum_of_block(partial, warp_sums);
  if (threadIdx.x == 0 && warp_in_block() == 0) {
    partials[blockIdx.x] = sum;
  }
}

}  // namespace gxr::kernels

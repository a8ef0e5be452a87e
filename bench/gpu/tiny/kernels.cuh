#pragma once

// Kernels of the operators. Those of chains are the kernel of the loops in ../reference.

#include <cstdint>

#include <cuda_runtime.h>

#include "../reference/work.cuh"

namespace tiny {

constexpr unsigned kThreads = 256;
constexpr unsigned kBlocks = 2;
constexpr std::int32_t kElements = kThreads * kBlocks;

/// What the first kernel of a chain counts in, and the last one adds to; kElements each, in device
/// memory. Null where a kernel has neither end.
struct Ends {
  std::int32_t* count = nullptr;
  unsigned long long* sum = nullptr;
};

/// Lets the next kernel come up at once, then waits for the one before.
inline __device__ void depend() { pdl_begin<2>(); }

/// Puts a kernel on the stream: out = in + 1. The first of a chain has no `in`: it counts the
/// iterations from 1 and adds 1 to that. The last one adds `out` to its sum. Dependent: as
/// GraphTraits::dependent_launch asks for.
inline void launch_step(std::int32_t* in, std::int32_t* out, const Ends& ends, bool dependent,
                        cudaStream_t stream) {
  const bool is_first = ends.count != nullptr;
  const auto kernel = dependent ? k_work<2> : k_work<0>;
  kernel<<<kBlocks, kThreads, 0, stream>>>(is_first ? ends.count : in, out, ends.sum,
                                           is_first ? 1 : 0, ends.sum != nullptr ? 1 : 0);
}

/// The iteration's number, from 1.
template <bool Dependent>
static __global__ void number(const std::uint64_t* iteration, std::int32_t* out) {
  if (Dependent) {
    depend();
  }
  out[blockIdx.x * blockDim.x + threadIdx.x] = static_cast<std::int32_t>(*iteration + 1);
}

/// There is always something.
template <bool Dependent>
static __global__ void look(std::uint64_t* rung, const std::uint64_t* taken) {
  if (Dependent) {
    depend();
  }
  if (*rung == *taken) {
    ++*rung;
  }
}

/// out = in + 1 for as many elements as there are.
template <bool Dependent>
static __global__ void increment(const std::int32_t* in, std::int32_t* out, std::int64_t count) {
  if (Dependent) {
    depend();
  }
  const std::int64_t threads = static_cast<std::int64_t>(gridDim.x) * blockDim.x;
  for (std::int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count; i += threads) {
    out[i] = in[i] + 1;
  }
}

/// As many elements of `in` as there are threads, from the first to the last: the marks of a
/// message of the bridge benchmark. One block of at least two threads; `count` is at least as many.
template <bool Dependent>
static __global__ void marks(const std::int32_t* in, std::int32_t* out, std::int64_t count) {
  if (Dependent) {
    depend();
  }
  out[threadIdx.x] = in[threadIdx.x * (count - 1) / (blockDim.x - 1)];
}

/// Blocks of kThreads for increment(): one element a thread, up to 1024 blocks.
inline unsigned blocks_for(std::int64_t count) {
  const std::int64_t blocks = (count + kThreads - 1) / kThreads;
  return static_cast<unsigned>(blocks < 1024 ? blocks : 1024);
}

}  // namespace tiny

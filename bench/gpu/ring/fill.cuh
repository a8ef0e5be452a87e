#pragma once

// A kernel in the place of the network card: it writes frames into a ring in device memory, one
// after the other, and stamps each with the GPU's clock.

#include <cstdint>

#include <cuda_runtime.h>

#include "gxr/cuda/frame_order.hpp"
#include "gxr/cuda/ring.hpp"

namespace ring_bench {

constexpr unsigned kFillThreads = 256;
constexpr std::uint32_t kHeader = 8;
/// Where the number of a frame is.
__host__ __device__ inline gxr::cuda::FrameNumber number_place() { return {0, 8, false}; }

__device__ inline std::uint64_t now_ns() {
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

/// One block. Frame n comes `gap_ns` behind the result of frame n - 1, which `results` counts; its
/// elements are words: when it was published, then numbers.
static __global__ void fill(gxr::cuda::RingView ring, std::uint64_t frames, std::uint32_t words,
                            const std::uint64_t* results, std::uint64_t gap_ns) {
  __shared__ gxr::cuda::RingWriter writer;
  __shared__ std::byte* frame;
  if (threadIdx.x == 0) {
    writer = gxr::cuda::RingWriter(ring);
  }
  for (std::uint64_t number = 0; number < frames; ++number) {
    if (threadIdx.x == 0) {
      while (gxr::cuda::ring_word::load_acquire(*results) < number || writer.room() == 0) {
      }
      for (const std::uint64_t until = now_ns() + gap_ns; now_ns() < until;) {
      }
      frame = writer.payload();
      number_place().write(frame, number);
    }
    __syncthreads();
    auto* const elements = reinterpret_cast<std::uint64_t*>(frame + kHeader);
    for (std::uint32_t i = threadIdx.x + 1; i < words; i += blockDim.x) {
      elements[i] = number + i;
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      elements[0] = now_ns();
      __threadfence_system();
      writer.publish(kHeader + words * 8, 0);
    }
  }
}

/// The work on a frame, by one block: the sum of its words, and how long ago it was published.
/// `state`: results so far, and the sum of all frames.
struct Results {
  std::uint64_t count;
  std::uint64_t sum;
};
__device__ inline void work_on(const std::uint64_t* elements, std::uint32_t words, Results* results,
                               std::uint32_t* latencies, std::uint64_t most) {
  __shared__ unsigned long long sum;
  if (threadIdx.x == 0) {
    sum = 0;
  }
  __syncthreads();
  unsigned long long mine = 0;
  for (std::uint32_t i = threadIdx.x + 1; i < words; i += blockDim.x) {
    mine += elements[i];
  }
  if (mine != 0) {
    atomicAdd(&sum, mine);
  }
  __syncthreads();
  if (threadIdx.x == 0) {
    const std::uint64_t number = results->count;
    results->sum += sum;
    const std::uint64_t took = now_ns() - elements[0];
    if (number < most) {
      latencies[number] = static_cast<std::uint32_t>(took < 0xffffffffU ? took : 0xffffffffU);
    }
    gxr::cuda::ring_word::store_release(results->count, number + 1);
  }
}

}  // namespace ring_bench

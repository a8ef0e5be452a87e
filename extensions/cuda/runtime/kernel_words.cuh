#pragma once

#include <cstdint>

namespace gxr::cuda {

// The time, and words that the host and kernels, or several kernels that run, share.

/// Of the global timer, which all of the GPU has.
__device__ inline std::uint64_t now_ns() {
  std::uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

__device__ inline std::uint64_t load_relaxed(const std::uint64_t* word) {
  std::uint64_t value;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}

__device__ inline void store_relaxed(std::uint64_t* word, std::uint64_t value) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

__device__ inline std::uint64_t load_acquire(const std::uint64_t* word) {
  std::uint64_t value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}

__device__ inline void store_release(std::uint64_t* word, std::uint64_t value) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

constexpr std::uint64_t kLongestSleepNs = 1'000'000;  // of the instruction

__device__ inline void sleep_ns(std::uint64_t time) {
  asm volatile("nanosleep.u32 %0;" ::"r"(static_cast<std::uint32_t>(min(time, kLongestSleepNs))));
}

/// Stands between the halves of a signal; see runner/observe/chaos.hpp.
__device__ inline void chaos() {
#ifdef GXR_CHAOS
  const std::uint64_t random = now_ns() * 6364136223846793005U + 1442695040888963407U;
  if ((random >> 40 & 3U) == 0) {
    sleep_ns(random >> 44 & 0x7fffU);
  }
#endif
}

}  // namespace gxr::cuda

#pragma once

// Kernels that can be made slow, so that work that was not waited for shows as a wrong number. For
// the test extension, the tests of the device and the benchmark.

#include <cstdint>

#include <cuda_runtime.h>

namespace gpu {

inline __device__ void spend(std::int64_t nanoseconds) {
  std::uint64_t start = 0;
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  do {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  } while (static_cast<std::int64_t>(now - start) < nanoseconds);
}

/// Writes `value` everywhere, `ns` nanoseconds after it began.
static __global__ void fill(std::int32_t* out, std::int64_t count, std::int32_t value,
                            std::int64_t ns) {
  spend(ns);
  for (std::int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    out[i] = value;
  }
}

/// Writes the number of the iteration, from 1, and `first` more.
static __global__ void fill_number(std::int32_t* out, std::int64_t count,
                                   const std::uint64_t* iteration, std::int32_t first) {
  const auto value = static_cast<std::int32_t>(*iteration) + first;
  for (std::int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    out[i] = value;
  }
}

/// out = a + b + value, `ns` nanoseconds after it began; `b` may be null. `other`: what is added
/// instead of `value`, or null.
static __global__ void add(const std::int32_t* a, const std::int32_t* b, std::int32_t* out,
                           std::int64_t count, std::int32_t value, std::int64_t ns,
                           const std::int32_t* other = nullptr) {
  spend(ns);
  value = other != nullptr ? *other : value;
  for (std::int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    out[i] = a[i] + (b != nullptr ? b[i] : 0) + value;
  }
}

}  // namespace gpu

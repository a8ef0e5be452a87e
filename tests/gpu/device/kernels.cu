#include "gxr/cuda/check.hpp"
#include "kernels.cuh"

namespace gxr::test {
namespace {

__device__ std::int64_t time_ns() {
  std::int64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
  return now;
}

__device__ void spend(std::int64_t ns) {
  const std::int64_t start = time_ns();
  while (time_ns() - start < ns) {
  }
}

__global__ void fill_kernel(std::int32_t* out, std::int64_t count, std::int32_t value,
                            std::int64_t ns) {
  spend(ns);
  for (std::int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    out[i] = value;
  }
}

__global__ void add_kernel(const std::int32_t* in, std::int32_t* out, std::int64_t count,
                           std::int32_t value, std::int64_t ns) {
  spend(ns);
  for (std::int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    out[i] = in[i] + value;
  }
}

__global__ void sm_kernel(std::uint32_t* out) {
  spend(50'000);  // so that the blocks spread over all SMs they may use
  if (threadIdx.x == 0) {
    std::uint32_t sm = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    out[blockIdx.x] = sm;
  }
}

__global__ void flag_kernel(const volatile int* flag) {
  while (*flag == 0) {
  }
}

}  // namespace

void fill(std::int32_t* out, std::int64_t count, std::int32_t value, std::int64_t ns,
          cudaStream_t stream) {
  fill_kernel<<<2, 256, 0, stream>>>(out, count, value, ns);
  cuda::check_launch("fill_kernel");
}

void add(const std::int32_t* in, std::int32_t* out, std::int64_t count, std::int32_t value,
         std::int64_t ns, cudaStream_t stream) {
  add_kernel<<<2, 256, 0, stream>>>(in, out, count, value, ns);
  cuda::check_launch("add_kernel");
}

void note_sms(std::uint32_t* out, unsigned blocks, cudaStream_t stream) {
  sm_kernel<<<blocks, 1024, 0, stream>>>(out);
  cuda::check_launch("sm_kernel");
}

void wait_for_flag(const volatile int* flag, cudaStream_t stream) {
  flag_kernel<<<1, 1, 0, stream>>>(flag);
  cuda::check_launch("flag_kernel");
}

}  // namespace gxr::test

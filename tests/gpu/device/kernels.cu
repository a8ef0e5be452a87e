#include "gxr/cuda/check.hpp"
#include "kernels.cuh"
#include "tests/extensions/gpu/kernels.cuh"

namespace gxr::test {
namespace {

__global__ void sm_kernel(std::uint32_t* out) {
  gpu::spend(50'000);  // so that the blocks spread over all SMs they may use
  if (threadIdx.x == 0) {
    std::uint32_t sm = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    out[blockIdx.x] = sm;
  }
}

__global__ void page_kernel(std::uint32_t* memory, unsigned pages, std::uint32_t* out) {
  constexpr unsigned kWords = 4096 / sizeof(std::uint32_t);
  constexpr unsigned kSteps = 64;
  for (unsigned page = 0; page < pages; ++page) {
    std::uint32_t shortest = ~0U;
    for (unsigned round = 0; round < 4; ++round) {
      const long long before = clock64();
      std::uint32_t zero = 0;  // each operation has to wait for the one before
      for (unsigned i = 0; i < kSteps; ++i) {
        zero = atomicExch(memory + page * kWords + i * (kWords / kSteps) + zero, 0U);
      }
      const long long after = zero == 0 ? clock64() : before - 1;  // behind the last one, too
      shortest = min(shortest, static_cast<std::uint32_t>(after - before));
    }
    out[2 * page + blockIdx.x] = shortest;
  }
}

__global__ void empty_kernel() {}

__global__ void flag_kernel(const volatile int* flag) {
  while (*flag == 0) {
  }
}

}  // namespace

std::size_t add_long_branch(DeviceLoop& loop, const std::vector<std::size_t>& after) {
  constexpr int kKernels = 60;
  const NodeId branch = loop.add_branch({.iteration = loop.iteration()},
                                        {.kind = DeviceNode::Kind::Branch,
                                         .after = after,
                                         .branch = {.kind = BranchKind::Every, .count = 2}});
  DeviceNode inside;
  inside.body = {branch, 0};
  loop.add(
      [](cudaStream_t stream) {
        for (int i = 0; i < kKernels; ++i) {
          empty_kernel<<<1, 1, 0, stream>>>();
        }
      },
      inside);
  return branch;
}

void fill(std::int32_t* out, std::int64_t count, std::int32_t value, std::int64_t ns,
          cudaStream_t stream) {
  gpu::fill<<<2, 256, 0, stream>>>(out, count, value, ns);
  cuda::check_launch("fill");
}

void add(const std::int32_t* in, std::int32_t* out, std::int64_t count, std::int32_t value,
         std::int64_t ns, cudaStream_t stream) {
  gpu::add<<<2, 256, 0, stream>>>(in, nullptr, out, count, value, ns);
  cuda::check_launch("add");
}

void note_sms(std::uint32_t* out, unsigned blocks, cudaStream_t stream) {
  sm_kernel<<<blocks, 1024, 0, stream>>>(out);
  cuda::check_launch("sm_kernel");
}

void measure_pages(std::uint32_t* memory, unsigned pages, std::uint32_t* out, cudaStream_t stream) {
  page_kernel<<<2, 1, 0, stream>>>(memory, pages, out);
  cuda::check_launch("page_kernel");
}

void wait_for_flag(const volatile int* flag, cudaStream_t stream) {
  flag_kernel<<<1, 1, 0, stream>>>(flag);
  cuda::check_launch("flag_kernel");
}

}  // namespace gxr::test

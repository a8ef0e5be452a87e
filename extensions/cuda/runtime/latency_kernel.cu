#include "latency_kernel.hpp"

namespace gxr::cuda {
namespace {

constexpr unsigned kReads = 16;
constexpr unsigned kLine = 256;  // so far apart are the reads
constexpr unsigned kRounds = 4;  // the first brings the page into the cache

__device__ std::uint32_t read_from_l2(const std::byte* place) {
  std::uint32_t value;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
  return value;
}

__global__ void latency(const std::byte* memory, std::uint32_t pages, std::uint32_t* cycles) {
  for (std::uint32_t page = 0; page < pages; ++page) {
    const std::byte* const begin = memory + page * kLatencyPage;
    std::uint32_t shortest = ~0U;
    for (unsigned round = 0; round < kRounds; ++round) {
      const long long before = clock64();
      // Each read waits for the one before: its place depends on the 0 that comes.
      std::uint32_t zero = 0;
      for (unsigned i = 0; i < kReads; ++i) {
        zero = read_from_l2(begin + i * kLine + zero);
      }
      const long long after = clock64() + zero;
      shortest = min(shortest, static_cast<std::uint32_t>(after - before));
    }
    cycles[blockIdx.x * pages + page] = shortest;
  }
}

}  // namespace

void launch_latency(const void* memory, std::uint32_t pages, std::uint32_t* cycles,
                    cudaStream_t stream) {
  latency<<<kLatencyBlocks, 1, 0, stream>>>(static_cast<const std::byte*>(memory), pages, cycles);
}

}  // namespace gxr::cuda

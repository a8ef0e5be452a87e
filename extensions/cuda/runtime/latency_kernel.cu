#include "latency_kernel.hpp"

namespace gxr::cuda {
namespace {

constexpr unsigned kSteps = 16;
constexpr unsigned kLine = 256;  // so far apart are the steps
constexpr unsigned kRounds = 4;  // the first brings the page into the cache

/// Adds nothing, in the part of the L2 cache that the memory belongs to. A read hardly tells how
/// far that is, probably because memory that no kernel writes is read from a copy in the part that
/// is near.
__device__ std::uint32_t add_nothing(std::byte* place) {
  std::uint32_t value;
  asm volatile("atom.relaxed.gpu.global.add.u32 %0, [%1], 0;"
               : "=r"(value)
               : "l"(place)
               : "memory");
  return value;
}

__global__ void latency(std::byte* memory, std::uint32_t pages, std::uint32_t* cycles) {
  for (std::uint32_t page = 0; page < pages; ++page) {
    std::byte* const begin = memory + page * kLatencyPage;
    std::uint32_t shortest = ~0U;
    for (unsigned round = 0; round < kRounds; ++round) {
      const long long before = clock64();
      // Each step waits for the one before: its place depends on the 0 that comes.
      std::uint32_t zero = 0;
      for (unsigned i = 0; i < kSteps; ++i) {
        zero = add_nothing(begin + i * kLine + zero);
      }
      // Behind the last one, too: whether it is 0 decides what is read.
      const long long after = zero == 0 ? clock64() : before - 1;
      shortest = min(shortest, static_cast<std::uint32_t>(after - before));
    }
    cycles[blockIdx.x * pages + page] = shortest;
  }
}

}  // namespace

void launch_latency(void* memory, std::uint32_t pages, std::uint32_t* cycles, cudaStream_t stream) {
  latency<<<kLatencyBlocks, 1, 0, stream>>>(static_cast<std::byte*>(memory), pages, cycles);
}

}  // namespace gxr::cuda

// What it makes of a chain of small kernels in a loop on the GPU in which pages of memory the
// buffers between them lie, by hand, and how far the pages are.
//
//   pages_bench [KERNELS]
//
// One JSON object per line. Of each page of 4 KiB: the period in microseconds of a chain whose two
// buffers lie in it, with programmatic and with ordinary edges, the median of three launches; and
// cycles for 15 reads and for 15 atomic operations in it, one behind the other, by each of two
// blocks. Then the same periods with the buffers side by side in as many pages as they need, and on
// how many SMs the blocks of a chain ran. Every chain's sum is checked.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <functional>
#include <set>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "bridge/cuda_objects.cuh"
#include "reference/work.cuh"

namespace {

using by_hand::check;
using by_hand::DeviceMemory;
using by_hand::PinnedMemory;

constexpr unsigned kPages = 24;
constexpr std::size_t kPage = 4096;
constexpr unsigned kBlocks = 2;
constexpr unsigned kThreads = 256;
constexpr std::size_t kElements = kBlocks * std::size_t{kThreads};
constexpr unsigned kMostKernels = 256;
constexpr std::uint64_t kIterations = 2000;
constexpr int kLaunches = 3;

/// The buffer that kernel k writes.
using Buffers = std::function<int*(unsigned)>;

template <int PDL>
__global__ void control(std::uint64_t* done, std::uint64_t iterations,
                        cudaGraphConditionalHandle loop) {
  pdl_begin<PDL>();
  if (++*done == iterations) {
    cudaGraphSetConditional(loop, 0);
  }
}

/// As k_work, and writes on which SM each block runs.
template <int PDL>
__global__ void work_and_note(int* in, int* out, unsigned long long* sum, int is_first, int is_last,
                              std::uint32_t* sms) {
  do_work<PDL>(in, out, sum, is_first, is_last);
  if (threadIdx.x == 0) {
    std::uint32_t sm = 0;
    asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
    sms[blockIdx.x] = sm;
  }
}

__device__ std::uint32_t read(std::byte* place) {
  std::uint32_t value = 0;
  asm volatile("ld.relaxed.gpu.global.u32 %0, [%1];" : "=r"(value) : "l"(place) : "memory");
  return value;
}

/// cycles[page][block][0: reads, 1: atomic operations]. `memory` is full of zeros, and stays so.
__global__ void measure_pages(std::byte* memory, std::uint32_t* cycles) {
  constexpr unsigned kSteps = 16;  // the end of the last one is not waited for
  constexpr unsigned kRounds = 4;  // the first brings the page into the cache
  for (unsigned page = 0; page < kPages; ++page) {
    std::byte* const begin = memory + page * kPage;
    for (unsigned kind = 0; kind < 2; ++kind) {
      std::uint32_t shortest = ~0U;
      for (unsigned round = 0; round < kRounds; ++round) {
        const long long before = clock64();
        std::uint32_t zero = 0;
        for (unsigned i = 0; i < kSteps; ++i) {
          std::byte* const place = begin + i * (kPage / kSteps) + zero;
          zero = kind == 0 ? read(place) : atomicAdd(reinterpret_cast<std::uint32_t*>(place), 0U);
        }
        shortest = min(shortest, static_cast<std::uint32_t>(clock64() - before) + zero);
      }
      cycles[(page * kBlocks + blockIdx.x) * 2 + kind] = shortest;
    }
  }
}

/// A loop of a chain of kernels.
class Chain {
 public:
  explicit Chain(unsigned kernels) : kernels_(kernels) {}

  /// Microseconds an iteration.
  template <int PDL>
  [[nodiscard]] double period(const Buffers& buffer) {
    std::array<double, kLaunches> found = run<PDL>(buffer, nullptr);
    std::ranges::sort(found);
    return found[kLaunches / 2];
  }

  /// On how many SMs its kernels ran in the last iteration.
  template <int PDL>
  [[nodiscard]] std::size_t sms(const Buffers& buffer) {
    const std::size_t blocks = kernels_ * std::size_t{kBlocks};
    const PinnedMemory<std::uint32_t> noted(blocks);
    static_cast<void>(run<PDL>(buffer, noted.on_device()));
    return std::set<std::uint32_t>(noted.data(), noted.data() + blocks).size();
  }

 private:
  /// Microseconds an iteration of each launch. `sms`: nullptr, or to be noted for each block.
  template <int PDL>
  std::array<double, kLaunches> run(const Buffers& buffer, std::uint32_t* sms) {
    const by_hand::Graph graph;
    cudaGraphConditionalHandle loop{};
    check(cudaGraphConditionalHandleCreate(&loop, graph.get(), 1, cudaGraphCondAssignDefault),
          "cudaGraphConditionalHandleCreate");
    const cudaGraph_t body = by_hand::add_loop(graph.get(), {}, loop);
    void* const kernel = sms == nullptr ? reinterpret_cast<void*>(&k_work<PDL>)
                                        : reinterpret_cast<void*>(&work_and_note<PDL>);
    std::vector<cudaGraphNode_t> before;
    for (unsigned k = 0; k < kernels_; ++k) {
      int* in = k == 0 ? count_.data() : buffer(k - 1);
      int* out = k + 1 == kernels_ ? last_.data() : buffer(k);
      unsigned long long* sum = sum_.data();
      int is_first = k == 0 ? 1 : 0;
      int is_last = k + 1 == kernels_ ? 1 : 0;
      std::uint32_t* to = sms == nullptr ? nullptr : sms + k * kBlocks;
      void* arguments[] = {&in, &out, &sum, &is_first, &is_last, &to};  // k_work takes the first 5
      before = {by_hand::add_kernel(body, before, PDL != 0, kernel, kBlocks, kThreads, arguments)};
    }
    std::uint64_t* done = done_.data();
    std::uint64_t iterations = kIterations;
    void* arguments[] = {&done, &iterations, &loop};
    static_cast<void>(by_hand::add_kernel(body, before, PDL != 0,
                                          reinterpret_cast<void*>(&control<PDL>), 1, 1, arguments));
    const by_hand::GraphExec exec(graph, stream_);
    std::array<double, kLaunches> found{};
    for (double& each : found) {
      done_.clear();
      count_.clear();
      sum_.clear();
      each = by_hand::microseconds(stream_, [&] { exec.launch(stream_); }) / kIterations;
      require_right();
    }
    return found;
  }

  /// Each kernel has run once in each iteration, in order.
  void require_right() const {
    unsigned long long sum = 0;
    check(cudaMemcpy(&sum, sum_.data(), sizeof sum, cudaMemcpyDeviceToHost), "cudaMemcpy");
    const std::uint64_t wanted = kIterations * (kIterations + 1) / 2 + kIterations * kernels_;
    if (sum != wanted) {
      throw std::runtime_error("the sum is " + std::to_string(sum) + ", not " +
                               std::to_string(wanted));
    }
  }

  unsigned kernels_;
  by_hand::Stream stream_;
  DeviceMemory<std::uint64_t> done_{1};
  DeviceMemory<int> count_{kElements};
  DeviceMemory<int> last_{kElements};
  DeviceMemory<unsigned long long> sum_{kElements};
};

std::byte* to_page(std::byte* memory) {
  return memory + (kPage - reinterpret_cast<std::uintptr_t>(memory) % kPage) % kPage;
}

void measure(unsigned kernels) {
  const std::size_t bytes = std::max(kPages * kPage, kernels * kElements * sizeof(int)) + kPage;
  const DeviceMemory<std::byte> memory(bytes);
  std::byte* const pages = to_page(memory.data());
  const PinnedMemory<std::uint32_t> cycles(kPages * kBlocks * 2);
  measure_pages<<<kBlocks, 1>>>(pages, cycles.on_device());
  check(cudaGetLastError(), "measure_pages");
  check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");

  Chain chain(kernels);
  for (unsigned page = 0; page < kPages; ++page) {
    const Buffers in_page = [&](unsigned k) {
      return reinterpret_cast<int*>(pages + page * kPage) + (k % 2) * kElements;
    };
    const double programmatic = chain.period<2>(in_page);
    const double ordinary = chain.period<0>(in_page);
    const std::uint32_t* const of = cycles.data() + page * kBlocks * 2;
    std::printf(
        "{\"measure\": \"page\", \"page\": %u, \"kernels\": %u, \"programmatic_us\": %.3f, "
        "\"ordinary_us\": %.3f, \"read_cycles\": [%u, %u], \"atomic_cycles\": [%u, %u]}\n",
        page, kernels, programmatic, ordinary, of[0], of[2], of[1], of[3]);
    std::fflush(stdout);
  }
  const Buffers side_by_side = [&](unsigned k) {
    return reinterpret_cast<int*>(pages) + k * kElements;
  };
  const double programmatic = chain.period<2>(side_by_side);
  const double ordinary = chain.period<0>(side_by_side);
  std::printf(
      "{\"measure\": \"side by side\", \"kernels\": %u, \"programmatic_us\": %.3f, "
      "\"ordinary_us\": %.3f}\n",
      kernels, programmatic, ordinary);
  const std::size_t programmatic_sms = chain.sms<2>(side_by_side);
  const std::size_t ordinary_sms = chain.sms<0>(side_by_side);
  std::printf("{\"measure\": \"SMs\", \"kernels\": %u, \"programmatic\": %zu, \"ordinary\": %zu}\n",
              kernels, programmatic_sms, ordinary_sms);
}

}  // namespace

int main(int argc, char** argv) {
  try {
    const unsigned long kernels = argc > 1 ? std::stoul(argv[1]) : 64;
    if (argc > 2 || kernels < 2 || kernels > kMostKernels) {
      throw std::invalid_argument("usage: pages_bench [KERNELS], 2 to 256");
    }
    measure(static_cast<unsigned>(kernels));
    return 0;
  } catch (const std::exception& error) {
    std::fprintf(stderr, "error: %s\n", error.what());
    return 1;
  }
}

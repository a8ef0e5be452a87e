// ring_by_hand WORDS FRAMES GAP_NS: the same ring, card and work as ring_bench.so, with one kernel
// that polls, copies and works without end: what the handler itself costs, and the lower bound for
// a loop around it. Prints a line of JSON; ends with 77 where there is no GPU.

#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include "figures.hpp"
#include "fill.cuh"
#include "packets/reception.hpp"

namespace {

using namespace ring_bench;
using namespace gxr::cuda;

constexpr std::uint32_t kSlots = 1024;

void check(cudaError_t error) {
  if (error != cudaSuccess) {
    std::fprintf(stderr, "%s\n", cudaGetErrorString(error));
    std::exit(error == cudaErrorNoDevice || error == cudaErrorInsufficientDriver ? 77 : 1);
  }
}

/// One block.
__global__ void receive_all(RingView ring, FrameLayout layout, std::uint64_t frames,
                            std::uint64_t* elements, Results* results, std::uint32_t* latencies) {
  __shared__ Reception reception;
  __shared__ const std::byte* frame;
  if (threadIdx.x == 0) {
    reception = Reception{};
    reception.reader = RingReader(ring);
    reception.order = FrameOrder(layout.number.bytes);
  }
  const std::uint32_t words = layout.data_bytes / 8;
  for (std::uint64_t done = 0; done < frames; ++done) {
    if (threadIdx.x == 0) {
      do {
        frame = reception.next(layout, false, 1).data;
      } while (frame == nullptr);
    }
    __syncthreads();
    const auto* const from = reinterpret_cast<const std::uint64_t*>(frame + layout.header_bytes);
    for (std::uint32_t i = threadIdx.x; i < words; i += blockDim.x) {
      elements[i] = from[i];
    }
    __syncthreads();
    if (threadIdx.x == 0) {
      reception.finish();
    }
    work_on(elements, words, results, latencies, frames);
    __syncthreads();
  }
}

}  // namespace

int main(int count, char** arguments) {
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);  // nothing is loaded while the kernel polls
  if (count != 4) {
    std::fputs("ring_by_hand WORDS FRAMES GAP_NS\n", stderr);
    return 2;
  }
  const auto words = static_cast<std::uint32_t>(std::atoi(arguments[1]));
  const auto frames = static_cast<std::uint64_t>(std::atoll(arguments[2]));
  const auto gap_ns = static_cast<std::uint64_t>(std::atoll(arguments[3]));
  const FrameLayout layout{number_place(), kHeader, words * 8};

  void* memory = nullptr;
  std::uint64_t* elements = nullptr;
  Results* results = nullptr;
  std::uint32_t* latencies = nullptr;
  const std::uint64_t bytes = ring_bytes(kSlots, layout.bytes());
  check(cudaMalloc(&memory, bytes));
  check(cudaMalloc(&elements, layout.data_bytes));
  check(cudaMalloc(&results, sizeof(Results)));
  check(cudaMalloc(&latencies, frames * sizeof(std::uint32_t)));
  RingHeader header;
  make_ring(&header, kSlots, layout.bytes());
  check(cudaMemset(memory, 0, bytes));
  check(cudaMemcpy(memory, &header, sizeof header, cudaMemcpyHostToDevice));
  check(cudaMemset(results, 0, sizeof(Results)));
  check(cudaDeviceSynchronize());

  const RingView ring = ring_view(memory, kSlots, layout.bytes());
  cudaStream_t receiving = nullptr;
  cudaStream_t filling = nullptr;
  check(cudaStreamCreateWithFlags(&receiving, cudaStreamNonBlocking));
  check(cudaStreamCreateWithFlags(&filling, cudaStreamNonBlocking));
  receive_all<<<1, kFillThreads, 0, receiving>>>(ring, layout, frames, elements, results,
                                                 latencies);
  fill<<<1, kFillThreads, 0, filling>>>(ring, frames, words, &results->count, gap_ns);
  check(cudaGetLastError());
  check(cudaDeviceSynchronize());

  Results found{};
  std::vector<std::uint32_t> ns(frames);
  check(cudaMemcpy(&found, results, sizeof found, cudaMemcpyDeviceToHost));
  check(cudaMemcpy(ns.data(), latencies, frames * sizeof(std::uint32_t), cudaMemcpyDeviceToHost));
  if (found.count != frames || found.sum != wanted_sum(frames, words)) {
    std::fprintf(stderr, "%llu results of %llu, or wrong ones\n",
                 static_cast<unsigned long long>(found.count),
                 static_cast<unsigned long long>(frames));
    return 1;
  }
  std::puts(figures_json(std::move(ns)).c_str());
  return 0;
}

#include "choices.cuh"
#include "graph_kernels.hpp"
#include "kernel_order.cuh"
#include "kernel_words.cuh"

namespace gxr::cuda {
namespace {

__global__ void count(std::uint64_t* counter) { ++*counter; }

__global__ void choose(Choice choice) {
  wait_for_predecessors();
  cudaGraphSetConditional(choice.handle, condition_of(choice));
}

__global__ void switch_bodies(Choice choice, BodySwitch bodies) {
  wait_for_predecessors();
  const std::uint64_t on = body_of(choice) + 1;
  const std::uint64_t was = *bodies.on;
  if (on == was) {
    return;
  }
  bool failed = false;
  for (unsigned i = threadIdx.x; i < bodies.count; i += blockDim.x) {
    const SwitchableKernel kernel = bodies.kernels[i];
    const std::uint64_t number = kernel.body + 1;
    if (was != 0 && number != was && number != on) {
      continue;
    }
    const cudaError_t result = cudaGraphKernelNodeSetEnabled(kernel.node, number == on);
    if (result != cudaSuccess) {
      failed = true;
      store_relaxed(bodies.error, static_cast<std::uint64_t>(result));
      store_relaxed(bodies.limit, 0);
    }
  }
  const bool any_failed = __any_sync(~0U, failed) != 0;
  if (threadIdx.x == 0) {
    *bodies.on = any_failed ? 0 : on;
  }
}

__global__ void write_stamp(Stamp stamp) {
  let_successors_come();
  wait_for_predecessors();
  const std::uint64_t n = load_relaxed(stamp.iteration);
  std::uint64_t* const record = stamp.records + n / stamp.every % stamp.record_count * stamp.stride;
  if (stamp.writes_number) {
    store_relaxed(record, n + 1);
  }
  store_relaxed(&record[stamp.place], now_ns());
}

/// Keeps the order of the nodes in front of it and behind it.
__global__ void do_nothing() { wait_for_predecessors(); }

__global__ void write_time(std::uint64_t* now) { store_relaxed(now, now_ns()); }

}  // namespace

void launch_count(std::uint64_t* counter, cudaStream_t stream) {
  count<<<1, 1, 0, stream>>>(counter);
}

const void* stamp_kernel() noexcept { return reinterpret_cast<const void*>(&write_stamp); }

void launch_clock(std::uint64_t* now, cudaStream_t stream) { write_time<<<1, 1, 0, stream>>>(now); }

const void* empty_kernel() noexcept { return reinterpret_cast<const void*>(&do_nothing); }

const void* choice_kernel() noexcept { return reinterpret_cast<const void*>(&choose); }

const void* switch_kernel() noexcept { return reinterpret_cast<const void*>(&switch_bodies); }

}  // namespace gxr::cuda

#include "graph_kernels.hpp"
#include "kernel_order.cuh"
#include "kernel_words.cuh"

namespace gxr::cuda {
namespace {

__global__ void count(std::uint64_t* counter) { ++*counter; }

constexpr std::uint64_t kOutside = ~std::uint64_t{0};

/// kOutside for numbers below 0.
__device__ std::uint64_t number_of(const Choice& choice) {
  std::int64_t number = 0;
  switch (choice.bytes) {
    case 1:
      number = *static_cast<const std::int8_t*>(choice.number);
      break;
    case 2:
      number = *static_cast<const std::int16_t*>(choice.number);
      break;
    case 4:
      number = *static_cast<const std::int32_t*>(choice.number);
      break;
    default:
      number = *static_cast<const std::int64_t*>(choice.number);
      break;
  }
  if (choice.is_signed) {
    return number < 0 ? kOutside : static_cast<std::uint64_t>(number);
  }
  const unsigned bits = 8 * choice.bytes;
  return static_cast<std::uint64_t>(number) & (bits < 64 ? (std::uint64_t{1} << bits) - 1 : ~0ULL);
}

/// What the condition of a branch is set to.
__device__ unsigned condition_of(const Choice& choice) {
  switch (choice.decision) {
    case Decision::IfNotZero:
      return number_of(choice) != 0 ? 1 : 0;
    case Decision::List:
      // No list has the number of lists.
      return static_cast<unsigned>(min(number_of(choice), std::uint64_t{choice.lists}));
    case Decision::Begin:
      if (choice.limit > 0) {
        *choice.runs = 0;
      }
      return 1;
    case Decision::Again:
      if (choice.limit > 0 && ++*choice.runs >= choice.limit) {
        return 0;
      }
      return number_of(choice) != 0 ? 1 : 0;
    case Decision::Counted:
      break;
  }
  const std::uint64_t number = number_of(choice);
  return number >= choice.first && (number - choice.first) % choice.count == 0 ? 1 : 0;
}

__global__ void choose(Choice choice) {
  wait_for_predecessors();
  cudaGraphSetConditional(choice.handle, condition_of(choice));
}

/// The number of lists for none.
__device__ unsigned list_of(const Choice& choice) {
  const unsigned condition = condition_of(choice);
  return choice.decision == Decision::List ? condition : min(1 - condition, choice.lists);
}

__global__ void switch_lists(Choice choice, ListSwitch lists) {
  wait_for_predecessors();
  const std::uint64_t on = list_of(choice) + 1;
  const std::uint64_t was = *lists.on;
  if (on == was) {
    return;
  }
  bool failed = false;
  for (unsigned i = threadIdx.x; i < lists.count; i += blockDim.x) {
    const ListedKernel kernel = lists.kernels[i];
    const std::uint64_t number = kernel.list + 1;
    if (was != 0 && number != was && number != on) {
      continue;
    }
    const cudaError_t result = cudaGraphKernelNodeSetEnabled(kernel.node, number == on);
    if (result != cudaSuccess) {
      failed = true;
      store_relaxed(lists.error, static_cast<std::uint64_t>(result));
      store_relaxed(lists.limit, 0);
    }
  }
  const bool any_failed = __any_sync(~0U, failed) != 0;
  if (threadIdx.x == 0) {
    *lists.on = any_failed ? 0 : on;
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

/// Keeps the order of what is in front of it and what is behind it.
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

const void* switch_kernel() noexcept { return reinterpret_cast<const void*>(&switch_lists); }

}  // namespace gxr::cuda

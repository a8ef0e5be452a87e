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

__global__ void choose(Choice choice) {
  wait_for_predecessors();
  unsigned chosen = 0;
  switch (choice.decision) {
    case Decision::IfNotZero:
      chosen = number_of(choice) != 0 ? 1 : 0;
      break;
    case Decision::List:
      // No list has the number of lists.
      chosen = static_cast<unsigned>(min(number_of(choice), std::uint64_t{choice.lists}));
      break;
    case Decision::Begin:
      chosen = 1;
      if (choice.limit > 0) {
        *choice.runs = 0;
      }
      break;
    case Decision::Again:
      chosen = number_of(choice) != 0 ? 1 : 0;
      if (choice.limit > 0 && ++*choice.runs >= choice.limit) {
        chosen = 0;
      }
      break;
    case Decision::Counted: {
      const std::uint64_t number = number_of(choice);
      chosen = number >= choice.first && (number - choice.first) % choice.count == 0 ? 1 : 0;
      break;
    }
  }
  cudaGraphSetConditional(choice.handle, chosen);
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

__global__ void write_time(std::uint64_t* now) { store_relaxed(now, now_ns()); }

}  // namespace

void launch_count(std::uint64_t* counter, cudaStream_t stream) {
  count<<<1, 1, 0, stream>>>(counter);
}

const void* stamp_kernel() noexcept { return reinterpret_cast<const void*>(&write_stamp); }

void launch_clock(std::uint64_t* now, cudaStream_t stream) { write_time<<<1, 1, 0, stream>>>(now); }

const void* choice_kernel() noexcept { return reinterpret_cast<const void*>(&choose); }

}  // namespace gxr::cuda

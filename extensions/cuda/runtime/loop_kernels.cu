#include "loop_kernels.hpp"

namespace gxr::cuda {
namespace {

constexpr unsigned kWarp = 32;
constexpr unsigned kAll = 0xffffffffU;
/// How long looks follow each other without a pause.
constexpr std::uint64_t kSpinNs = 50'000;
/// Pauses grow with the time that was waited: latency is at most this part of it more.
constexpr std::uint64_t kPausePart = 16;
constexpr std::uint64_t kShortestPauseNs = 64;
constexpr std::uint64_t kLongestSleepNs = 1'000'000;  // of the instruction

// Older GPUs launch no kernel before its predecessors have ended.
__device__ void wait_for_predecessors() {
#if __CUDA_ARCH__ >= 900
  cudaGridDependencySynchronize();
#endif
}
__device__ void let_successors_come() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
#endif
}

__device__ std::uint64_t now_ns() {
  std::uint64_t time;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(time));
  return time;
}

__device__ std::uint64_t load_acquire(const std::uint64_t* word) {
  std::uint64_t value;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}

__device__ std::uint64_t load_relaxed(const std::uint64_t* word) {
  std::uint64_t value;
  asm volatile("ld.relaxed.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}

__device__ void store_release(std::uint64_t* word, std::uint64_t value) {
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

__device__ void store_relaxed(std::uint64_t* word, std::uint64_t value) {
  asm volatile("st.relaxed.sys.global.u64 [%0], %1;" ::"l"(word), "l"(value) : "memory");
}

__device__ void sleep_ns(std::uint64_t time) {
  asm volatile("nanosleep.u32 %0;" ::"r"(static_cast<std::uint32_t>(min(time, kLongestSleepNs))));
}

/// What one lane knows of one gate.
struct Gate {
  const std::uint64_t* word;
  std::uint64_t ahead;
  std::uint64_t seen;
  bool is_limit;

  /// Looks at the word unless what was seen before is enough for iteration `n`. The limit can
  /// shrink, so it is looked at each time.
  __device__ void look(std::uint64_t n) {
    if (is_limit || seen + ahead <= n) {
      seen = load_acquire(word);
    }
  }
  [[nodiscard]] __device__ std::uint64_t until() const {
    const std::uint64_t sum = seen + ahead;
    return sum < seen ? ~std::uint64_t{0} : sum;
  }
};

/// The lane's first gate; lanes beyond the last have one that is always open.
__device__ Gate first_gate(const LoopTable& table) {
  const unsigned lane = threadIdx.x;
  if (lane >= table.gate_count) {
    return {nullptr, 0, ~std::uint64_t{0}, false};
  }
  return {table.gates[lane].word, table.gates[lane].ahead, table.seen[lane], lane == 0};
}

__device__ unsigned clip(std::uint64_t until, std::uint64_t n) {
  return until > n ? static_cast<unsigned>(min(until - n, std::uint64_t{0x7fffffff})) : 0U;
}

/// Gates beyond those that the lanes keep.
__device__ unsigned further_gates(const LoopTable& table, std::uint64_t n) {
  unsigned open = 0x7fffffffU;
  for (unsigned i = threadIdx.x + kWarp; i < table.gate_count; i += kWarp) {
    Gate gate{table.gates[i].word, table.gates[i].ahead, table.seen[i], false};
    gate.look(n);
    table.seen[i] = gate.seen;
    open = min(open, clip(gate.until(), n));
  }
  return open;
}

/// Waits until iteration `n` may begin. Returns how many may from there on; 0: the loop is to end.
/// Called by one warp. `looked`: the gate was looked at just now.
__device__ unsigned wait_for_turn(const LoopTable& table, Gate gate, std::uint64_t n, bool looked) {
  const std::uint64_t began = now_ns();
  for (;;) {
    if (!looked) {
      gate.look(n);
    }
    looked = false;
    const bool ends = __shfl_sync(kAll, gate.is_limit && gate.seen <= n, 0);
    unsigned open = min(clip(gate.until(), n), further_gates(table, n));
    open = __reduce_min_sync(kAll, open);
    if (ends || open > 0) {
      if (threadIdx.x < table.gate_count) {
        table.seen[threadIdx.x] = gate.seen;
      }
      return ends ? 0 : open;
    }
    const std::uint64_t waited = now_ns() - began;
    if (waited > kSpinNs) {
      const std::uint64_t longest = load_acquire(&table.state->sleep_interval_ns);
      if (longest > 0) {
        sleep_ns(max(min(waited / kPausePart, longest), kShortestPauseNs));
      }
    }
  }
}

__device__ void copy_bytes(std::byte* __restrict__ to, const std::byte* __restrict__ from,
                           std::uint64_t bytes, std::uint64_t thread, std::uint64_t threads) {
  // Slots and tensors begin at multiples of 16.
  const std::uint64_t vectors = bytes / sizeof(uint4);
  auto* const __restrict__ to_vectors = reinterpret_cast<uint4*>(to);
  const auto* const __restrict__ from_vectors = reinterpret_cast<const uint4*>(from);
#pragma unroll 4
  for (std::uint64_t i = thread; i < vectors; i += threads) {
    to_vectors[i] = from_vectors[i];
  }
  for (std::uint64_t i = vectors * sizeof(uint4) + thread; i < bytes; i += threads) {
    to[i] = from[i];
  }
}

__device__ void copy_in(const LoopTable& table, std::uint64_t n) {
  for (unsigned i = 0; i < table.input_count; ++i) {
    const LoopCopy& port = table.inputs[i];
    copy_bytes(port.tensor, port.slots + n % table.slots * port.stride, port.bytes, threadIdx.x,
               blockDim.x);
  }
}

__device__ void copy_out(const LoopTable& table, std::uint64_t n) {
  for (unsigned i = 0; i < table.output_count; ++i) {
    const LoopCopy& port = table.outputs[i];
    copy_bytes(port.slots + n % table.slots * port.stride, port.tensor, port.bytes, threadIdx.x,
               blockDim.x);
  }
}

/// Says that iteration `n` is done. Called by one thread, when all have copied.
__device__ void publish(const LoopTable& table, std::uint64_t n) {
  store_relaxed(&table.state->done, n + 1);
  if (table.publishes != 0) {
    store_release(table.finished, n + 1);
  } else {
    store_relaxed(table.finished, n + 1);
  }
}

/// Ends iteration `n`. It is published by a thread of the last warp, so that the first, if there
/// are several, goes on meanwhile.
__device__ void finish(const LoopTable& table, std::uint64_t n) {
  if (table.output_count > 0) {
    copy_out(table, n);
    __syncthreads();
  }
  if (threadIdx.x == blockDim.x - kWarp) {
    publish(table, n);
  }
}

/// The next iteration's input, taken from its slot while the work before it runs; for one input
/// that is small enough.
class Prefetched {
 public:
  /// Called by all threads when the input is there.
  __device__ void take(const LoopTable& table, std::uint64_t n) {
    const LoopCopy& port = table.inputs[0];
    const auto* const from =
        reinterpret_cast<const uint4*>(port.slots + n % table.slots * port.stride);
    const auto count = static_cast<unsigned>(port.bytes / sizeof(uint4));
#pragma unroll
    for (unsigned k = 0; k < kVectors; ++k) {
      const unsigned i = threadIdx.x + k * blockDim.x;
      if (i < count) {
        vectors_[k] = from[i];
      }
    }
    taken_ = true;
  }
  [[nodiscard]] __device__ bool is_taken() const { return taken_; }
  __device__ void put(const LoopTable& table) const {
    const LoopCopy& port = table.inputs[0];
    auto* const to = reinterpret_cast<uint4*>(port.tensor);
    const auto count = static_cast<unsigned>(port.bytes / sizeof(uint4));
#pragma unroll
    for (unsigned k = 0; k < kVectors; ++k) {
      const unsigned i = threadIdx.x + k * blockDim.x;
      if (i < count) {
        to[i] = vectors_[k];
      }
    }
  }
  [[nodiscard]] static __device__ bool is_possible(const LoopTable& table) {
    return table.input_count == 1 && table.inputs[0].bytes % sizeof(uint4) == 0 &&
           table.inputs[0].bytes <= std::uint64_t{kVectors} * sizeof(uint4) * blockDim.x;
  }

 private:
  static constexpr unsigned kVectors = 4;
  uint4 vectors_[kVectors];
  bool taken_ = false;
};

/// Says which loops go on, when `open` iterations may begin.
__device__ void decide(const LoopTable& table, const LoopHandles& handles, unsigned open) {
  if (open == 0) {
    table.state->ended_ns = now_ns();
    cudaGraphSetConditional(handles.all, 0);
  }
  if (table.unroll > 1) {
    cudaGraphSetConditional(handles.many, open >= table.unroll ? 1 : 0);
    cudaGraphSetConditional(handles.one, open > 0 && open < table.unroll ? 1 : 0);
  }
}

/// Waits until iteration `n` may begin and takes its inputs. False: the loop is to end.
__device__ bool begin(const LoopTable& table, const LoopHandles& handles, Gate gate,
                      std::uint64_t n, const Prefetched& input) {
  __shared__ unsigned open;
  if (threadIdx.x < kWarp) {
    const unsigned may = wait_for_turn(table, gate, n, true);
    if (threadIdx.x == 0) {
      open = may;
      if (n == 0) {
        table.state->began_ns = now_ns();
      }
      decide(table, handles, may);
    }
  }
  __syncthreads();
  if (open == 0) {
    return false;
  }
  // What follows may come up now, not before: it would keep others off the GPU while nothing runs.
  let_successors_come();
  if (input.is_taken()) {
    input.put(table);
  } else {
    copy_in(table, n);
  }
  return true;
}

template <LoopRole role>
__global__ void control(const __grid_constant__ LoopTable table,
                        const __grid_constant__ LoopHandles handles) {
  constexpr bool kEnds = role == LoopRole::Tail || role == LoopRole::Next || role == LoopRole::End;
  constexpr bool kWaits =
      role == LoopRole::First || role == LoopRole::Head || role == LoopRole::End;
  // Before the iteration's work is done: what does not depend on it.
  const std::uint64_t n = load_relaxed(&table.state->done);
  Gate gate{};
  if (kWaits && threadIdx.x < kWarp) {
    gate = first_gate(table);
  }
  Prefetched input;
  if (kEnds && kWaits && Prefetched::is_possible(table)) {
    // What was seen before may tell already; the look now is for the iteration after the next.
    const bool known = threadIdx.x >= kWarp || gate.is_limit || gate.until() > n + 1;
    bool is_there = __syncthreads_and(known ? 1 : 0) != 0;
    if (is_there) {
      input.take(table, n + 1);
    }
    if (threadIdx.x < kWarp) {
      gate.look(is_there ? n + 2 : n + 1);
    }
    const bool seen = threadIdx.x >= kWarp || gate.until() > n + 1;
    if (!is_there && __syncthreads_and(seen ? 1 : 0) != 0) {
      input.take(table, n + 1);
    }
  } else if (kWaits && threadIdx.x < kWarp) {
    gate.look(kEnds ? n + 1 : n);
  }
  wait_for_predecessors();
  if (role == LoopRole::Tail) {
    if (table.state->leaves != 0) {
      return;
    }
    if (threadIdx.x == 0 && load_acquire(&table.state->limit) <= n + 1) {
      table.state->ended_ns = now_ns();
      cudaGraphSetConditional(handles.all, 0);
    }
  }
  if (kEnds) {
    finish(table, n);
  }
  if (role == LoopRole::Next) {
    __threadfence();  // the next one but one looks at `done` before it waits for this kernel's end
    __syncthreads();
    let_successors_come();
    copy_in(table, n + 1);
  }
  if (kWaits) {
    const bool goes_on = begin(table, handles, gate, kEnds ? n + 1 : n, input);
    if (role == LoopRole::Head && !goes_on && threadIdx.x == 0) {
      table.state->leaves = 1;
    }
  }
}

template <bool kIntoTensor>
__global__ void move(const __grid_constant__ LoopMove move) {
  let_successors_come();
  wait_for_predecessors();
  if (!kIntoTensor && load_relaxed(&move.state->leaves) != 0) {
    return;  // nobody waits for this, and the slot may hold a result
  }
  std::byte* const slot =
      move.slots + load_relaxed(&move.state->done) % move.slot_count * move.stride;
  const std::uint64_t thread = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  if (kIntoTensor) {
    copy_bytes(move.tensor, slot, move.bytes, thread, threads);
  } else {
    copy_bytes(slot, move.tensor, move.bytes, thread, threads);
  }
}

}  // namespace

const void* control_kernel(LoopRole role) {
  switch (role) {
    case LoopRole::First:
      return reinterpret_cast<const void*>(&control<LoopRole::First>);
    case LoopRole::Head:
      return reinterpret_cast<const void*>(&control<LoopRole::Head>);
    case LoopRole::Tail:
      return reinterpret_cast<const void*>(&control<LoopRole::Tail>);
    case LoopRole::Next:
      return reinterpret_cast<const void*>(&control<LoopRole::Next>);
    case LoopRole::End:
      break;
  }
  return reinterpret_cast<const void*>(&control<LoopRole::End>);
}

const void* move_kernel(bool into_tensor) {
  return into_tensor ? reinterpret_cast<const void*>(&move<true>)
                     : reinterpret_cast<const void*>(&move<false>);
}

}  // namespace gxr::cuda

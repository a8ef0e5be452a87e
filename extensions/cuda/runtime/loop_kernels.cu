#include "choices.cuh"
#include "kernel_order.cuh"
#include "kernel_words.cuh"
#include "launched_kernels.cuh"
#include "loop_gates.cuh"
#include "loop_kernels.hpp"

namespace gxr::cuda {
namespace {

/// The version of the parameters that the host has set, if the iteration before had an older one;
/// 0: it had this one, or a newer one. Called by the warp that polled the gates of the
/// iteration.
__device__ std::uint64_t new_parameters(const LoopTable& table) {
  if (table.parameter_version == nullptr) {
    return 0;
  }
  __syncwarp();  // parameters that were set before are seen behind the polls
  const std::uint64_t version = load_relaxed(table.parameter_version);
  return version <= load_relaxed(&table.state->parameters) ? 0 : version;
}

/// Not kept in a cache of the SM: the host writes there.
__device__ uint4 load_from_host(const uint4* from) {
  uint4 value;
  asm volatile("ld.volatile.global.v4.u32 {%0, %1, %2, %3}, [%4];"
               : "=r"(value.x), "=r"(value.y), "=r"(value.z), "=r"(value.w)
               : "l"(from)
               : "memory");
  return value;
}

/// Takes the parameters that the host has set, `version` or newer ones, while nothing reads them.
/// Called by all threads.
__device__ void take_parameters(const LoopTable& table, std::uint64_t version) {
  __shared__ std::uint64_t sequence;
  bool torn = true;
  while (torn) {
    if (threadIdx.x == 0) {
      do {
        sequence = load_acquire(table.parameter_sequence);
      } while (sequence % 2 != 0 || sequence < version);
    }
    __syncthreads();
    for (unsigned i = 0; i < table.parameter_count; ++i) {
      const LoopParameters& each = table.parameters[i];
      const auto* const from = reinterpret_cast<const uint4*>(each.from);
      auto* const to = reinterpret_cast<uint4*>(each.to);
      const std::uint64_t vectors = (each.bytes + sizeof(uint4) - 1) / sizeof(uint4);
#pragma unroll 4
      for (std::uint64_t k = threadIdx.x; k < vectors; k += blockDim.x) {
        to[k] = load_from_host(&from[k]);
      }
    }
    __threadfence_system();
    __syncthreads();  // all have read
    chaos();
    const bool changed = threadIdx.x == 0 && load_acquire(table.parameter_sequence) != sequence;
    torn = __syncthreads_or(changed ? 1 : 0) != 0;
  }
  if (threadIdx.x == 0) {
    store_relaxed(&table.state->parameters, sequence);
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

template <bool kAny>
__device__ void copy_in(const LoopTable& table, std::uint64_t n) {
  chaos();
  for (unsigned i = 0; i < table.input_count; ++i) {
    const LoopCopy& port = table.inputs[i];
    std::uint64_t turn = n;
    if (kAny) {
      if (load_relaxed(&table.is_new[port.input]) == 0) {
        continue;  // it keeps what it has
      }
      turn = load_relaxed(&table.taken[port.input]) - 1;
    }
    copy_bytes(port.tensor, port.slots + turn % table.slots * port.stride, port.bytes, threadIdx.x,
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
template <bool kAny>
__device__ void publish(const LoopTable& table, std::uint64_t n) {
  chaos();
  if (kAny) {
    std::uint64_t* const log = table.taken_log + n % (table.slots + 1) * table.drive_count;
    for (unsigned i = 0; i < table.drive_count; ++i) {
      store_relaxed(&log[i], load_relaxed(&table.taken[i]));
    }
  }
  store_relaxed(&table.state->done, n + 1);
  chaos();
  if (table.publishes != 0) {
    store_release(table.finished, n + 1);
  } else {
    store_relaxed(table.finished, n + 1);
  }
}

/// Ends iteration `n`. It is published by a thread of the last warp, so that the first, if there
/// are several, goes on meanwhile.
template <bool kAny>
__device__ void finish(const LoopTable& table, std::uint64_t n) {
  if (table.output_count > 0) {
    copy_out(table, n);
    __syncthreads();
  }
  if (threadIdx.x == blockDim.x - kWarp) {
    publish<kAny>(table, n);
  }
  if (kAny) {
    __syncthreads();  // the inputs taken are logged before more are taken
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
    // Each lane of a warp knows of one gate.
    return table.gate_count <= kWarp && table.input_count == 1 &&
           table.inputs[0].bytes % sizeof(uint4) == 0 &&
           table.inputs[0].bytes <= std::uint64_t{kVectors} * sizeof(uint4) * blockDim.x;
  }

 private:
  static constexpr unsigned kVectors = 4;
  uint4 vectors_[kVectors];
  bool taken_ = false;
};

/// Iterations in front of the next that is measured, from iteration `n` on. A division takes long
/// in a short iteration, so those that are not measured do without.
template <LoopRole role>
__device__ unsigned plain_iterations(const LoopTable& table, std::uint64_t n) {
  if (table.instrument_every == 0) {
    return 0;
  }
  if (role == LoopRole::End) {
    return static_cast<unsigned>(load_relaxed(&table.state->measured_next) - n);
  }
  const auto since = static_cast<unsigned>(n % table.instrument_every);
  const unsigned plain = since == 0 ? 0 : table.instrument_every - since;
  if (role == LoopRole::Measured && threadIdx.x == 0) {
    store_relaxed(&table.state->measured_next, n + plain);
  }
  return plain;
}

/// Launches the graph of the next iteration, behind the one that this kernel is in.
template <LoopRole role>
__device__ void launch_body(const LoopTable& table, const LoopHandles& handles) {
  if (role == LoopRole::First) {
    launch_siblings(table);
  }
  if (table.state->is_over == 0) {
    cudaGraphExec_t body = handles.body;
    if (role != LoopRole::First) {
      body = table.stages != nullptr ? *table.stages : cudaGetCurrentGraphExec();
    }
    static_cast<void>(launch_graph(table, body, cudaStreamGraphTailLaunch));
  }
}

/// The last round, or iteration outside one. Used by one thread, of the kernel at its end.
struct Trip {
  std::uint64_t from;  ///< its first iteration
  std::uint64_t began_ns;

  /// Before its work is done: reads the words of the kernel at its begin.
  __device__ void read(const LoopTable& table) {
    if (table.iteration_of_round_ns > 0) {
      from = load_relaxed(&table.state->trip_from);
      began_ns = load_relaxed(&table.state->trip_ns);
    }
  }
  /// Did its iterations take so little time that a round may follow? That begins now, with `n`.
  [[nodiscard]] __device__ bool may_round_follow(const LoopTable& table, std::uint64_t n) const {
    if (table.iteration_of_round_ns == 0) {
      return true;
    }
    const std::uint64_t now = now_ns();
    store_relaxed(&table.state->trip_from, n);
    store_relaxed(&table.state->trip_ns, now);
    return began_ns != 0 && now - began_ns <= (n - from) * table.iteration_of_round_ns;
  }
};

/// Says which loops go on from iteration `n`, when so many plain ones come before one that is
/// measured. Conditions keep the values that they are set to. Called by one thread.
template <LoopRole role, bool kLaunches>
__device__ void decide(const LoopTable& table, const LoopHandles& handles, const Turn& turn,
                       const Trip& trip, std::uint64_t n, unsigned plain) {
  chaos();
  if (turn.ends) {
    table.state->ended_ns = now_ns();
  }
  if (kLaunches) {
    if (turn.ends) {
      end_launches(table);
    } else {
      launch_body<role>(table, handles);
    }
    return;
  }
  if (turn.ends) {
    cudaGraphSetConditional(handles.all, 0);
  }
  if (role == LoopRole::Poll) {
    cudaGraphSetConditional(handles.one, turn.open > 0 ? 1 : 0);
    return;
  }
  unsigned open = turn.open;
  if (table.instrument_every > 0) {
    open = min(open, plain);
    if (role == LoopRole::Measured || open == 0) {
      cudaGraphSetConditional(table.unroll > 1 ? handles.plain : handles.one, open > 0 ? 1 : 0);
    }
  }
  if (table.unroll > 1) {
    const bool many = open >= table.unroll && trip.may_round_follow(table, n);
    cudaGraphSetConditional(handles.many, many ? 1 : 0);
    cudaGraphSetConditional(handles.one, open > 0 && !many ? 1 : 0);
  }
}

/// Waits until iteration `n` may begin, or polls whether it may, and takes its inputs. False: none
/// begins.
template <LoopRole role, bool kAny, bool kLaunches>
__device__ bool begin(const LoopTable& table, const LoopHandles& handles, Gate gate,
                      std::uint64_t n, const Trip& trip, unsigned plain, const Prefetched& input,
                      std::uint64_t parameters) {
  __shared__ unsigned open;
  __shared__ std::uint64_t version;
  if (threadIdx.x < kWarp) {
    const Turn turn = role == LoopRole::Poll ? poll_for_turn<kAny>(table, gate, n)
                                             : wait_for_turn<kAny>(table, gate, n, true);
    if (kAny && turn.open > 0) {
      take_new(table, gate, turn.fresh);
    }
    if (turn.waited || role == LoopRole::Poll) {
      parameters = new_parameters(table);
    }
    if (threadIdx.x == 0) {
      open = turn.open;
      version = parameters;
      if (n == 0 && (turn.ends || turn.open > 0)) {
        table.state->began_ns = now_ns();
      }
      if (table.iteration_timeout_ns > 0 && turn.open > 0) {
        table.state->turn_ns = now_ns();
      }
      decide<role, kLaunches>(table, handles, turn, trip, n, plain);
    }
  }
  __syncthreads();
  if (open == 0) {
    return false;
  }
  // The next kernel may come up now, not before: it would keep others off the GPU while nothing
  // runs. Behind the first control kernel stands a conditional node, which has nothing to prepare
  // and needs the whole of it.
  if (role != LoopRole::First) {
    let_successors_come();
  }
  if (table.parameter_version != nullptr && version != 0) {
    take_parameters(table, version);
  }
  if (input.is_taken()) {
    input.put(table);
  } else {
    copy_in<kAny>(table, n);
  }
  return true;
}

template <LoopRole role, bool kAny, bool kLaunches = false>
__global__ void control(const __grid_constant__ LoopTable table,
                        const __grid_constant__ LoopHandles handles) {
  constexpr bool kEnds = role == LoopRole::Tail || role == LoopRole::Next ||
                         role == LoopRole::End || role == LoopRole::Measured ||
                         role == LoopRole::Close;
  constexpr bool kWaits = role == LoopRole::First || role == LoopRole::Head ||
                          role == LoopRole::End || role == LoopRole::Measured;
  constexpr bool kPolls = role == LoopRole::Poll;
  if (kLaunches && role == LoopRole::First && table.launched_count > 0 &&
      __syncthreads_or(threadIdx.x == 0 && has_too_many_siblings(table) ? 1 : 0) != 0) {
    return;
  }
  // Before the iteration's work is done: all that does not depend on it.
  chaos();
  std::uint64_t n = kPolls ? 0 : load_relaxed(&table.state->done);
  if (kEnds && table.output_count == 0) {
    __syncthreads();  // all know it before one counts on; with outputs finish() sees to that
  }
  Gate gate{};
  if (kWaits && threadIdx.x < kWarp) {
    gate = first_gate<kAny>(table);
  }
  Trip trip{};
  if (kWaits && threadIdx.x == 0) {
    trip.read(table);
  }
  const unsigned plain = kWaits ? plain_iterations<role>(table, kEnds ? n + 1 : n) : 0;
  Prefetched input;
  if (kEnds && kWaits && !kAny && Prefetched::is_possible(table)) {
    // The last values seen may tell already; the poll now is for the iteration after the next.
    const bool known = threadIdx.x >= kWarp || gate.is_limit || gate.until() > n + 1;
    bool is_there = __syncthreads_and(known ? 1 : 0) != 0;
    if (is_there) {
      input.take(table, n + 1);
    }
    if (threadIdx.x < kWarp) {
      gate.poll(is_there ? n + 2 : n + 1);
    }
    const bool seen = threadIdx.x >= kWarp || gate.until() > n + 1;
    if (!is_there && __syncthreads_and(seen ? 1 : 0) != 0) {
      input.take(table, n + 1);
    }
  } else if (kWaits && threadIdx.x < kWarp) {
    gate.poll(gate.turn<kAny>(kEnds ? n + 1 : n));
  }
  const bool checks_limit = role == LoopRole::Tail && threadIdx.x == 0;
  const std::uint64_t limit = checks_limit ? load_acquire(&table.state->limit) : 0;
  std::uint64_t parameters = 0;
  if ((kWaits || role == LoopRole::Next) && threadIdx.x < kWarp) {
    parameters = new_parameters(table);
  }
  wait_for_predecessors();
  if (kPolls) {
    // The polling operators say whether there is input; and the iteration before may have ended
    // just in front of them.
    n = load_relaxed(&table.state->done);
    if (threadIdx.x < kWarp) {
      gate = first_gate<kAny>(table);
    }
  }
  if (role == LoopRole::Tail && table.state->leaves != 0) {
    return;
  }
  if (kEnds && threadIdx.x == 0 && table.iteration_timeout_ns > 0 &&
      now_ns() - table.state->turn_ns > table.iteration_timeout_ns) {
    ++table.state->late;
  }
  if (kEnds) {
    finish<kAny>(table, n);
  }
  // Behind the words that the host waits for. When the limit has become less just now, the head
  // sees that.
  if (checks_limit && limit <= n + 1 && load_acquire(&table.state->drains) == 0) {
    table.state->ended_ns = now_ns();
    cudaGraphSetConditional(handles.all, 0);
  }
  if (kLaunches && kEnds && table.launched_count > 0 &&
      __syncthreads_or(threadIdx.x == 0 && launch_bodies(table, n) ? 1 : 0) != 0) {
    return;
  }
  if (role == LoopRole::Next) {
    __shared__ std::uint64_t version;
    if (threadIdx.x == 0) {
      version = parameters;
    }
    __threadfence();  // the next one but one reads `done` before it waits for this kernel's end
    __syncthreads();
    if (table.parameter_version != nullptr && version != 0) {
      take_parameters(table, version);
    }
    if (threadIdx.x == 0 && table.iteration_timeout_ns > 0) {
      table.state->turn_ns = now_ns();
    }
    let_successors_come();
    copy_in<kAny>(table, n + 1);
  }
  if (kWaits || kPolls) {
    const bool goes_on = begin<role, kAny, kLaunches>(table, handles, gate, kEnds ? n + 1 : n, trip,
                                                      plain, input, parameters);
    if (role == LoopRole::Head && !goes_on && threadIdx.x == 0) {
      table.state->leaves = 1;
    }
  }
}

__global__ void launch_stage(const __grid_constant__ LoopTable table, const Choice choice,
                             const LoopStages stages) {
  const bool goes_on = stages.going_on != nullptr && may_go_on(table);
  wait_for_predecessors();
  if (threadIdx.x == 0) {
    atomicAdd(&table.state->went_on, goes_on ? 1ULL : 0ULL);  // nothing waits for it
    const cudaGraphExec_t* const ways = goes_on ? stages.going_on : stages.ending;
    static_cast<void>(launch_graph(table, ways[body_of(choice)], cudaStreamGraphTailLaunch));
  }
}

__global__ void begin_anew(const __grid_constant__ LoopTable table) {
  if (table.state->is_over == 0) {
    table.state->siblings = 0;
    if (launch_graph(table, *table.starter, cudaStreamGraphFireAndForget)) {
      static_cast<void>(launch_graph(table, cudaGetCurrentGraphExec(), cudaStreamGraphTailLaunch));
    }
  }
}

__global__ void end_sibling(LaunchedBodyState* state) {
  wait_for_predecessors();
  chaos();
  store_release(&state->ended, state->launched);
  chaos();
}

template <bool kIntoTensor>
__global__ void move(const __grid_constant__ LoopMove move) {
  let_successors_come();
  wait_for_predecessors();
  chaos();
  if (!kIntoTensor && load_relaxed(&move.state->leaves) != 0) {
    return;  // no kernel waits for this copy, and the slot may hold a result
  }
  std::uint64_t turn = load_relaxed(&move.state->done);
  if (kIntoTensor && move.taken != nullptr) {
    if (load_relaxed(move.is_new) == 0) {
      return;  // the tensor keeps what it has
    }
    turn = load_relaxed(move.taken) - 1;
  }
  if (kIntoTensor && move.placed != nullptr && load_relaxed(move.placed) == turn + 1) {
    return;
  }
  std::byte* const slot = move.slots + turn % move.slot_count * move.stride;
  const std::uint64_t thread = blockIdx.x * std::uint64_t{blockDim.x} + threadIdx.x;
  const std::uint64_t threads = std::uint64_t{gridDim.x} * blockDim.x;
  if (kIntoTensor) {
    copy_bytes(move.tensor, slot, move.bytes, thread, threads);
  } else {
    copy_bytes(slot, move.tensor, move.bytes, thread, threads);
  }
}

template <bool kAny>
const void* control_kernel_of(LoopRole role) {
  switch (role) {
    case LoopRole::First:
      return reinterpret_cast<const void*>(&control<LoopRole::First, kAny>);
    case LoopRole::Head:
      return reinterpret_cast<const void*>(&control<LoopRole::Head, kAny>);
    case LoopRole::Tail:
      return reinterpret_cast<const void*>(&control<LoopRole::Tail, kAny>);
    case LoopRole::Next:
      return reinterpret_cast<const void*>(&control<LoopRole::Next, false>);
    case LoopRole::Measured:
      return reinterpret_cast<const void*>(&control<LoopRole::Measured, kAny>);
    case LoopRole::Close:
      return reinterpret_cast<const void*>(&control<LoopRole::Close, kAny>);
    case LoopRole::Poll:
      return reinterpret_cast<const void*>(&control<LoopRole::Poll, kAny>);
    case LoopRole::End:
      break;
  }
  return reinterpret_cast<const void*>(&control<LoopRole::End, kAny>);
}

/// First or End.
template <bool kAny>
const void* launching_kernel_of(LoopRole role) {
  return role == LoopRole::First
             ? reinterpret_cast<const void*>(&control<LoopRole::First, kAny, true>)
             : reinterpret_cast<const void*>(&control<LoopRole::End, kAny, true>);
}

}  // namespace

const void* control_kernel(LoopRole role, bool any, bool launches) {
  if (launches) {
    return any ? launching_kernel_of<true>(role) : launching_kernel_of<false>(role);
  }
  return any ? control_kernel_of<true>(role) : control_kernel_of<false>(role);
}

const void* stage_kernel() { return reinterpret_cast<const void*>(&launch_stage); }

const void* anew_kernel() { return reinterpret_cast<const void*>(&begin_anew); }

const void* sibling_end_kernel() { return reinterpret_cast<const void*>(&end_sibling); }

const void* move_kernel(bool into_tensor) {
  return into_tensor ? reinterpret_cast<const void*>(&move<true>)
                     : reinterpret_cast<const void*>(&move<false>);
}

}  // namespace gxr::cuda

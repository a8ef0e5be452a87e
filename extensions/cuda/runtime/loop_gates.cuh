#pragma once

// When an iteration of a loop may begin. Called by one warp, whose lanes keep a gate each; kAny:
// any input is enough.

#include <cstdint>

#include "kernel_words.cuh"
#include "loop_kernels.hpp"

namespace gxr::cuda {

constexpr unsigned kWarp = 32;
constexpr unsigned kAll = 0xffffffffU;
/// How long polls follow each other without a pause.
constexpr std::uint64_t kSpinNs = 50'000;
/// Pauses grow with the time that was waited: latency is at most this part of it more.
constexpr std::uint64_t kPausePart = 16;
constexpr std::uint64_t kShortestPauseNs = 64;
/// Between two signs of life while nothing is found, at least.
constexpr std::uint64_t kBeatNs = 1'000'000;

/// A gate, as one lane knows it.
struct Gate {
  const std::uint64_t* word;
  std::uint64_t ahead;
  std::uint64_t seen;
  bool is_limit;
  bool is_drive;        // of an input or a doorbell
  std::uint64_t taken;  // of a drive, when any is enough

  /// Reads the word again unless the last value that was seen is enough for iteration `n`. The
  /// limit can shrink, so it is read each time.
  __device__ void poll(std::uint64_t n) {
    if (is_limit || seen + ahead <= n) {
      seen = load_acquire(word);
      chaos();
    }
  }
  /// The number that the gate compares with when iteration `n` is to begin.
  template <bool kAny>
  [[nodiscard]] __device__ std::uint64_t turn(std::uint64_t n) const {
    return kAny && is_drive ? taken : n;
  }
  [[nodiscard]] __device__ std::uint64_t until() const {
    const std::uint64_t sum = seen + ahead;
    return sum < seen ? ~std::uint64_t{0} : sum;
  }
};

/// The lane's first gate; lanes beyond the last have one that is always open.
template <bool kAny>
__device__ inline Gate first_gate(const LoopTable& table) {
  const unsigned lane = threadIdx.x;
  if (lane >= table.gate_count) {
    return {nullptr, 0, ~std::uint64_t{0}, false, false, 0};
  }
  const bool is_drive = lane > 0 && lane <= table.drive_count;
  return {table.gates[lane].word,
          table.gates[lane].ahead,
          table.seen[lane],
          lane == 0,
          is_drive,
          kAny && is_drive ? table.taken[lane - 1] : 0};
}

__device__ inline unsigned clip(std::uint64_t until, std::uint64_t n) {
  return until > n ? static_cast<unsigned>(min(until - n, std::uint64_t{0x7fffffff})) : 0U;
}

/// Gates beyond those that the lanes keep.
__device__ inline unsigned further_gates(const LoopTable& table, std::uint64_t n) {
  unsigned open = 0x7fffffffU;
  for (unsigned i = threadIdx.x + kWarp; i < table.gate_count; i += kWarp) {
    Gate gate{table.gates[i].word, table.gates[i].ahead, table.seen[i], false, false, 0};
    gate.poll(n);
    table.seen[i] = gate.seen;
    open = min(open, clip(gate.until(), n));
  }
  return open;
}

/// The result of a poll of the gates; the same in all lanes.
struct Turn {
  unsigned open;   // iterations that may begin from here on; 0: none yet
  unsigned fresh;  // when any input is enough: the gates with something new, a bit each
  bool ends;       // the loop is to end
  bool waited;     // it was not there at once
};

/// The limit is reached: after how many iterations the loop really ends.
template <bool kAny>
__device__ inline std::uint64_t drained(const LoopTable& table, const Gate& gate, std::uint64_t n) {
  chaos();
  // Of one lane, so that all go the same way.
  const std::uint64_t most = __shfl_sync(kAll, load_acquire(&table.state->drains), 0);
  if (most == 0) {
    return 0;
  }
  const std::uint64_t known = __shfl_sync(kAll, load_relaxed(&table.state->drain_until), 0);
  if (known != 0) {
    return known - 1;
  }
  // The inputs that are there now.
  unsigned waiting = kAny ? 0U : ~0U;
  if (gate.is_drive) {
    waiting = clip(load_acquire(gate.word), gate.turn<kAny>(n));
  }
  waiting = kAny ? __reduce_max_sync(kAll, waiting) : __reduce_min_sync(kAll, waiting);
  const std::uint64_t until = min(n + waiting, most);
  if (threadIdx.x == 0) {
    store_relaxed(&table.state->drain_until, until + 1);
  }
  return until;
}

/// May iteration `n` begin? Called by one warp. `polled`: the gate was polled just now.
template <bool kAny>
__device__ inline Turn poll(const LoopTable& table, Gate& gate, std::uint64_t n, bool polled) {
  const std::uint64_t turn = gate.turn<kAny>(n);
  if (!polled) {
    gate.poll(turn);
  }
  std::uint64_t until = gate.until();
  if (__shfl_sync(kAll, gate.is_limit && gate.seen <= n, 0)) {
    const std::uint64_t end = drained<kAny>(table, gate, n);
    if (n >= end) {
      return {0, 0, true, false};
    }
    until = gate.is_limit ? end : until;
  }
  const unsigned open = clip(until, turn);
  if (kAny) {
    const unsigned fresh = __ballot_sync(kAll, gate.is_drive && open > 0);
    const bool may = __all_sync(kAll, gate.is_drive || open > 0) && fresh != 0;
    return {may ? 1U : 0U, fresh, false, false};
  }
  return {__reduce_min_sync(kAll, min(open, further_gates(table, n))), 0, false, false};
}

__device__ inline void keep_seen(const LoopTable& table, const Gate& gate) {
  if (threadIdx.x < table.gate_count) {
    table.seen[threadIdx.x] = gate.seen;
  }
}

/// Sleeps longer than one instruction can, unless the limit changes: then the loop is to end.
__device__ inline void sleep_long(const LoopTable& table, std::uint64_t time) {
  const std::uint64_t limit = load_relaxed(&table.state->limit);
  const std::uint64_t until = now_ns() + time;
  for (std::uint64_t now = now_ns(); now < until && load_relaxed(&table.state->limit) == limit;
       now = now_ns()) {
    sleep_ns(until - now);
  }
}

/// Between two polls, when nothing has come for so long.
__device__ inline void pause(const LoopTable& table, std::uint64_t waited) {
  const bool is_fixed = table.pause_is_fixed != 0;
  if (!is_fixed && waited <= kSpinNs) {
    return;
  }
  const std::uint64_t longest = load_acquire(&table.state->sleep_interval_ns);
  if (longest == 0) {
    return;
  }
  const std::uint64_t time =
      is_fixed ? longest : max(min(waited / kPausePart, longest), kShortestPauseNs);
  if (time <= kLongestSleepNs) {
    sleep_ns(time);
  } else {
    sleep_long(table, time);
  }
}

/// Waits until iteration `n` may begin, or the loop is to end. Called by one warp.
template <bool kAny>
__device__ inline Turn wait_for_turn(const LoopTable& table, Gate& gate, std::uint64_t n,
                                     bool polled) {
  const std::uint64_t began = now_ns();
  for (bool waited = false;; waited = true) {
    Turn turn = poll<kAny>(table, gate, n, polled);
    polled = false;
    if (turn.ends || turn.open > 0) {
      keep_seen(table, gate);
      turn.waited = waited;
      return turn;
    }
    pause(table, now_ns() - began);
  }
}

/// Polls once, and pauses when there was nothing. Called by one warp.
template <bool kAny>
__device__ inline Turn poll_for_turn(const LoopTable& table, Gate& gate, std::uint64_t n) {
  const Turn turn = poll<kAny>(table, gate, n, false);
  keep_seen(table, gate);
  const std::uint64_t now = now_ns();
  const std::uint64_t since = load_relaxed(&table.state->idle_since_ns);
  const std::uint64_t beat = load_relaxed(&table.state->beat_ns);
  const bool waits = !turn.ends && turn.open == 0;
  __syncwarp();
  if (threadIdx.x == 0 && waits != (since != 0)) {
    store_relaxed(&table.state->idle_since_ns, waits ? now : 0);
  }
  // Not at each poll: the kernel ends when its writes have come to the host.
  if (threadIdx.x == 0 && waits && now - beat >= kBeatNs) {
    store_relaxed(&table.state->beat_ns, now);
    store_relaxed(table.heartbeat, now);
  }
  if (waits && since != 0) {
    pause(table, now - since);
  }
  return turn;
}

/// Takes all new inputs, for the iteration that begins. Called by one warp.
__device__ inline void take_new(const LoopTable& table, const Gate& gate, unsigned fresh) {
  if (gate.is_drive) {
    const unsigned drive = threadIdx.x - 1;
    const bool is_new = (fresh >> threadIdx.x & 1U) != 0;
    store_relaxed(&table.taken[drive], gate.taken + (is_new ? 1 : 0));
    store_relaxed(&table.is_new[drive], is_new ? 1 : 0);
  }
}

/// Is it known that the next iteration may begin? By the values that were seen before: a read of
/// the host's memory takes longer than is won. Called by one warp.
__device__ inline bool may_go_on(const LoopTable& table) {
  const std::uint64_t n = load_relaxed(&table.state->done) + 1;
  Gate gate = first_gate<false>(table);
  if (gate.is_limit) {
    gate.poll(n);
  }
  bool open = clip(gate.until(), n) > 0;
  for (unsigned i = threadIdx.x + kWarp; i < table.gate_count; i += kWarp) {
    open = open && table.seen[i] + table.gates[i].ahead > n;
  }
  return __all_sync(kAll, open) != 0;
}

}  // namespace gxr::cuda

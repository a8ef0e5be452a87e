#include <chrono>
#include <vector>

#include <benchmark/benchmark.h>

#include "peers.hpp"

namespace gxr::bench {
namespace {

/// A queue of capacity 1.
struct Slot {
  void* message = nullptr;
};

/// One pass over the chain, source first: a message travels its whole length in one pass, as it
/// does in a greedy cycle.
std::int64_t pass(std::vector<Slot>& slots, void* message, std::int64_t& left) {
  std::int64_t moved = 0;
  if (left > 0 && slots.front().message == nullptr) {
    slots.front().message = message;
    --left;
    ++moved;
  }
  for (std::size_t i = 0; i + 1 < slots.size(); ++i) {
    if (slots[i].message != nullptr && slots[i + 1].message == nullptr) {
      slots[i + 1].message = slots[i].message;
      slots[i].message = nullptr;
      benchmark::DoNotOptimize(slots[i + 1].message);
      ++moved;
    }
  }
  if (slots.back().message != nullptr) {
    benchmark::DoNotOptimize(slots.back().message);
    slots.back().message = nullptr;
    ++moved;
  }
  return moved;
}

}  // namespace

double ring_floor_seconds(int forwards, std::int64_t messages) {
  std::vector<Slot> slots(static_cast<std::size_t>(forwards) + 1);
  int payload = 0;
  std::int64_t left = messages;
  const auto begin = std::chrono::steady_clock::now();
  while (pass(slots, &payload, left) > 0) {
    benchmark::ClobberMemory();
  }
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
}

}  // namespace gxr::bench

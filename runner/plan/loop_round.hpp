#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>

#include "plan/graph_region.hpp"

namespace gxr {

/// With `loop: auto`: will messages be waiting for iterations? An application that lets many wait,
/// `slots`, wants many a second.
bool is_driven_by_many(const GraphRegion& region);

/// Iterations in one round of a loop on the GPU, begun at once when so many may.
struct LoopRound {
  std::uint32_t iterations = 1;  ///< 1 to 64
  bool is_chosen = false;        ///< gxr found it better than one, and the author said nothing
  // Of one that is chosen, what is known when the operators are there, and when they run:
  std::size_t nodes = 0;                          ///< of operators, at most; 0: any number
  std::chrono::nanoseconds longest_iteration{0};  ///< with longer ones there are no rounds; 0: any
};
/// With `loop: auto` it is more than one where iterations are short and no consumer waits for a
/// single one.
LoopRound round_of(const GraphRegion& region);

}  // namespace gxr

#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gxr {

/// Memory that steps of a graph share: one writes it, others read it.
struct MemoryRequest {
  std::uint64_t bytes = 0;
  std::uint32_t producer = 0;            ///< index of a step
  std::vector<std::uint32_t> consumers;  ///< indices of steps, all of which follow the producer
};

/// Places for all requests in one piece of memory.
struct MemoryPlan {
  std::vector<std::uint64_t> offsets;  ///< of the requests, in their order; multiples of 256
  std::uint64_t bytes = 0;             ///< of the piece
  std::uint64_t sum = 0;               ///< of the requests, each rounded up to 256
  /// No plan needs less: the greatest sum of requests of which each two may be in use at once.
  std::uint64_t lower_bound = 0;
};

/// The alignment of every offset, in bytes; that of the CUDA allocator.
inline constexpr std::uint64_t kMemoryAlignment = 256;

/// Lays out the memory of steps that run as soon as their predecessors have ended, in whatever
/// order that gives and several at once. Two requests share bytes only if all users of the
/// one have ended, by the edges of the graph, before the producer of the other begins.
///
/// `predecessors[i]` are the steps that step i follows, all of them less than i. Deterministic.
/// Best fit by decreasing size, then, as long as the result is above the lower bound, by a number
/// of other orders (D. Pisarchyk and J. Lee, Efficient Memory Management for Deep Neural Net
/// Inference, 2020, section 5.2). The lower bound is the heaviest antichain, by Dilworth's theorem
/// a maximum flow; above kMostExactRequests the greatest sum around one step, which may be lower.
MemoryPlan plan_memory(const std::vector<std::vector<std::uint32_t>>& predecessors,
                       const std::vector<MemoryRequest>& requests);
inline constexpr std::size_t kMostExactRequests = 512;

}  // namespace gxr

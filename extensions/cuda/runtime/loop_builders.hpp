#pragma once

#include <cstdint>
#include <vector>

#include "loop_graphs.hpp"
#include "loop_material.hpp"

namespace gxr::cuda {

// One builder for each shape of loop. Each lays the graphs and makes them ready. Throws when CUDA
// refuses one; then there are no graphs.

/// GraphLoop::HeadTail: a WHILE node, and in its body a kernel that waits for the turn, the
/// iteration, and a kernel that publishes its results.
LoopGraphs build_head_tail(const LoopMaterial& material);

/// GraphLoop::ControlAtEnd: a kernel that waits for the first iteration, and a WHILE node. In its
/// body, one kernel at the end of each iteration publishes the results and waits for the next one.
///
/// A body with rounds has two WHILE nodes, one behind the other: of a round of `unroll` iterations,
/// and of a single one. A body that measures begins with an iteration that is measured; a WHILE
/// node behind that has all others.
LoopGraphs build_control_at_end(const LoopMaterial& material, std::uint32_t unroll);
/// The number of iterations in a round of such a loop, of nodes as they are captured now; 1: it has
/// no rounds.
std::uint32_t iterations_in_round(const DeviceLoopOptions& options, const LoopNodes& nodes);

/// With doorbells: a WHILE node whose body has two halves. The first one is the operators that poll
/// and a kernel that decides. The second one is a WHILE node of iterations, each followed by
/// another poll. So nothing runs twice, and nothing in vain, and iterations follow each other in
/// the inner node while there is input.
LoopGraphs build_polling(const LoopMaterial& material);

/// GraphLoop::TailLaunch: the last kernel of an iteration launches the graph again, behind itself.
/// Launched bodies are graphs of their own. `dividing`: branches that divide the iteration into
/// stages (IterationStages), each of which launches the next one; may be empty.
LoopGraphs build_launching(const LoopMaterial& material, const std::vector<NodeId>& dividing);

}  // namespace gxr::cuda

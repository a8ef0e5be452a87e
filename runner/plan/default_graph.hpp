#pragma once

#include <string>

#include "plan/graph_part.hpp"
#include "plan/plan.hpp"

namespace gxr {

/// Do the files leave it to the planner what runs the application? No document has a scheduler, a
/// clock, an executor, a monitor or a controller, everything that works is in the short form, and
/// all of it has types that can be part of a CUDA graph.
bool leaves_executor_open(const Graph& graph, const TypeCatalog& catalog);

/// A whole application as one CUDA graph that loops on the GPU.
struct WholeGraph {
  GraphPart part;
  std::string obstacle;  ///< a half sentence; empty: nothing is in the way
};

/// Such a graph, if a run of it does and ends as a run on the CPU.
WholeGraph plan_whole_graph(const Plan& plan, const Diagnostics& diagnostics);

/// Why the shapes of a region are not all known, a half sentence; empty: they are.
std::string unknown_shape(const Graph& graph, const GraphRegion& region);

}  // namespace gxr

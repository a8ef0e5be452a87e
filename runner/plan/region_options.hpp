#pragma once

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "plan/plan.hpp"

namespace gxr {

/// Reports what parameters of a region's GraphExecutor exclude each other, or ask for what a graph
/// of its mode does not do. `region` has a graph; its branches, ports and handlers are known.
void check_options(const Graph& graph, const Region& region, Diagnostics& diagnostics);

}  // namespace gxr

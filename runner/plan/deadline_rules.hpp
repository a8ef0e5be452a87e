#pragma once

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "plan/capture_rules.hpp"

namespace gxr {

/// Warns of deadlines that are not measured: of entities that belong to a CUDA graph.
void check_deadlines(const Graph& graph, const RegionOf& region_of, Diagnostics& diagnostics);

}  // namespace gxr

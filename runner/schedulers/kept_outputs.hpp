#pragma once

#include "graph/graph.hpp"
#include "plan/graph_region.hpp"

namespace gxr {

/// Throws Error(NotSupported) when an output of a step does not keep what it holds while the step
/// is switched off: its memory in the arena is also that of another tensor, or of scratch. The
/// region is laid out.
void require_kept_outputs(const Graph& graph, const GraphRegion& region, StepId step);

}  // namespace gxr

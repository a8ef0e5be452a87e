#pragma once

#include <vector>

#include "document/diagnostics.hpp"
#include "plan/plan.hpp"

namespace gxr {

/// Gives those of `regions` that this GraphExecutor declares what its parameters `inputs` and
/// `timestamp_from` say of their inputs; reports names of receivers that are none, and what is no
/// tensor.
void apply_inputs(const GraphComponent& executor, const Graph& graph, std::vector<Region>& regions,
                  Diagnostics& diagnostics);

}  // namespace gxr

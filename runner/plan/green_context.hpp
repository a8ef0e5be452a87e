#pragma once

#include <vector>

#include "document/diagnostics.hpp"
#include "plan/plan.hpp"

namespace gxr {

/// Gives those of `regions` that this GraphExecutor declares the green context that its parameter
/// `green_context` names; reports one of another GPU than theirs.
void apply_green_context(const GraphComponent& executor, const Graph& graph,
                         std::vector<Region>& regions, Diagnostics& diagnostics);

}  // namespace gxr

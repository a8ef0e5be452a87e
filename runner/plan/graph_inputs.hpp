#pragma once

#include <vector>

#include "document/diagnostics.hpp"
#include "plan/plan.hpp"

namespace gxr {

/// Gives the regions of a GraphExecutor what its parameters `inputs` and `timestamp_from` say of
/// their inputs; reports names of receivers that are none, and what is no tensor.
void apply_inputs(const GraphComponent& executor, Plan& plan, Diagnostics& diagnostics);

}  // namespace gxr

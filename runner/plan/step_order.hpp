#pragma once

#include <vector>

#include "plan/graph_region.hpp"

namespace gxr {

/// For every step of a region, the steps that may run at the same time: those that no edges lead to
/// from it, or from them to it. Ascending.
std::vector<std::vector<StepId>> parallel_steps(const GraphRegion& region);

/// The first and the last step that use a tensor, in the region's order. For an input, the first
/// that reads it.
struct StepRange {
  StepId first = kNone;
  StepId last = kNone;
};
StepRange lifetime(const GraphTensor& tensor);

}  // namespace gxr

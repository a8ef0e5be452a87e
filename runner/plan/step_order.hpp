#pragma once

#include <vector>

#include "plan/graph_region.hpp"

namespace gxr {

/// For every step of a region, those in front of it that have ended when it begins: those whose
/// tensors it reads, and all that look for input if it does not. Others may follow from these.
std::vector<std::vector<StepId>> ended_before(const GraphRegion& region);

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

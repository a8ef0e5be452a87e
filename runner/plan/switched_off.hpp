#pragma once

#include <string>

#include "graph/graph.hpp"
#include "plan/graph_region.hpp"

namespace gxr {

/// Two tensors of a region, the one of which is copied to the other.
struct PassedOn {
  TensorId from = kNone;
  TensorId to = kNone;
};

/// What a step with GraphTraits::pass_through does while it is switched off: its first input goes
/// to its first output. kNone: it has none.
PassedOn passed_on(const Graph& graph, const GraphRegion& region, StepId step);

/// Why a step cannot be switched off; empty: it can. An output does not keep what it holds
/// meanwhile, since its memory in the arena is also that of another tensor, or of scratch; or what
/// is passed on is not like the output; or a While would not end. The region is laid out.
std::string why_not_off(const Graph& graph, const GraphRegion& region, StepId step);

/// Throws Error(NotSupported) with these words.
void require_may_be_off(const Graph& graph, const GraphRegion& region, StepId step);

}  // namespace gxr

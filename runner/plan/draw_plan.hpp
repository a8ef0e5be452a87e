#pragma once

#include "graph/drawing.hpp"
#include "plan/plan.hpp"

namespace gxr {

/// The graph of a plan's application, with each CUDA-graph region as a cluster.
Drawing make_drawing(const Plan& plan);

}  // namespace gxr

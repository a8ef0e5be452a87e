#pragma once

#include "graph/drawing.hpp"
#include "internal_api.hpp"
#include "plan/plan.hpp"

namespace gxr {

/// The graph of a plan's application, with each CUDA-graph region as a cluster.
GXR_INTERNAL_API Drawing make_drawing(const Plan& plan);

}  // namespace gxr

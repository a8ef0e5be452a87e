#pragma once

#include "document/diagnostics.hpp"
#include "plan/work_graph.hpp"

namespace gxr {

/// Reports what is wrong with branches that a loop launches as graphs of their own ('launch' of a
/// gxr::cuda::Every), whatever runs them: branches in each other, connections that would make
/// an entity wait, data-ready handlers.
void check_launches(const WorkGraph& work, Diagnostics& diagnostics);

}  // namespace gxr

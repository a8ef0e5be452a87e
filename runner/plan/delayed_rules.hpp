#pragma once

#include "document/diagnostics.hpp"
#include "plan/find_regions.hpp"
#include "plan/work_graph.hpp"

namespace gxr {

/// Both ends of a delayed connection must be operators of one region. `search`: where everything
/// is; nullptr: there is no CUDA graph.
void check_delayed(const WorkGraph& work, const RegionSearch* search, Diagnostics& diagnostics);

}  // namespace gxr

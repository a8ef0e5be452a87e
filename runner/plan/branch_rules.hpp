#pragma once

#include "document/diagnostics.hpp"
#include "plan/find_regions.hpp"
#include "plan/work_graph.hpp"

namespace gxr {

/// Reports what is wrong with the branches of an application, whatever runs them: names, entities
/// in two branches, selectors that do not run before, tensors between lists of which one runs.
void check_branches(const WorkGraph& work, Diagnostics& diagnostics);
/// Reports branches that are not in one CUDA graph as a whole. Without `search` there is no graph.
void check_branches_inside(const WorkGraph& work, const RegionSearch* search,
                           Diagnostics& diagnostics);

}  // namespace gxr

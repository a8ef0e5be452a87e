#pragma once

#include "plan/find_regions.hpp"
#include "plan/graph_region.hpp"
#include "plan/plan.hpp"
#include "plan/work_graph.hpp"

namespace gxr {

/// What the region is made of: its operators in an order in which they can run (those that are
/// ready in the order of the files), the tensors between them, what comes in and what goes out; and
/// the same order as a block with branches. Precondition: the search found no mistakes.
struct BuiltRegion {
  GraphRegion graph;
  PlanBlock order;
};
BuiltRegion build_graph_region(const WorkGraph& work, const RegionSearch& search,
                               std::uint32_t region);

}  // namespace gxr

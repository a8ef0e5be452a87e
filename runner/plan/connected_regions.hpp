#pragma once

#include <vector>

#include "plan/capture_rules.hpp"
#include "plan/work_graph.hpp"

namespace gxr {

/// Divides the candidates into connected sets none of which waits for itself: entities are on a
/// stage, which grows whenever a connection leads from a candidate to another entity or back, and
/// a set is of one stage. `region_of` tells what regions exist already; they count as one entity
/// each. Sets are in order of their first entity, and so are their members.
std::vector<std::vector<EntityId>> connected_regions(const WorkGraph& work,
                                                     const RegionOf& region_of,
                                                     const std::vector<bool>& candidate);

/// Entities that are, outside of all regions, on a cycle of connections.
std::vector<bool> on_cycles(const WorkGraph& work, const RegionOf& region_of);

/// A way out of a region and back into it: the entities on it, the first and the last of the
/// region. Empty when there is none.
std::vector<EntityId> way_back(const WorkGraph& work, const RegionOf& region_of,
                               std::uint32_t region);

}  // namespace gxr

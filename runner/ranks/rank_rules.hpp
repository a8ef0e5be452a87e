#pragma once

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "plan/plan.hpp"
#include "ranks/rank_map.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Reports what cannot be spread as the map says: handles from one rank to another, groups that
/// share resources, and clocks and schedulers that order the ticks of all entities. Entities of
/// each rank that refer to entities of one rank get that rank.
void check_ranks(const Graph& graph, const TypeCatalog& catalog, RankMap& map,
                 Diagnostics& diagnostics);
/// Reports CUDA graphs whose entities are on several ranks.
void check_regions_of_ranks(const Plan& plan, const RankMap& map, Diagnostics& diagnostics);

}  // namespace gxr

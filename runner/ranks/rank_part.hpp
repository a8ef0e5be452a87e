#pragma once

#include <string>
#include <vector>

#include "document/document.hpp"
#include "graph/graph.hpp"
#include "internal_api.hpp"
#include "ranks/rank_channels.hpp"
#include "ranks/rank_map.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// The part of an application that one rank runs: its entities, those of each rank, and for each
/// channel that begins or ends here an entity that stands for the other rank.
struct RankPart {
  Graph graph;
  std::vector<EntityId> ends;  ///< entities of `graph` that stand for other ranks
};

/// Cuts it out of an application's graph without errors. `document` gets the values of what is
/// added, and `catalog` has the types of rank_end_types(). Handles to what is on another rank name
/// nothing: those of connections, which do no more than the graph's links.
GXR_INTERNAL_API RankPart make_rank_part(const Graph& whole, const RankMap& map,
                                         const std::vector<RankChannel>& channels, Rank rank,
                                         Document& document, const TypeCatalog& catalog);

/// Name of the entity that sends the messages of a channel, or receives them.
GXR_INTERNAL_API std::string rank_end_name(const Graph& whole, const RankChannel& channel,
                                           bool is_sender);

}  // namespace gxr

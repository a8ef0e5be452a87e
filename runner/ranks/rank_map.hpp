#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "internal_api.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// One of the processes that run an application together, from 0.
using Rank = std::uint32_t;

/// Which rank runs each entity.
struct RankMap {
  /// Of an entity in which nothing runs, such as one with a pool or a scheduler: each rank makes
  /// its own.
  static constexpr Rank kEach = std::numeric_limits<Rank>::max();

  Rank ranks = 1;
  std::vector<Rank> rank_of;  ///< by EntityId

  /// An entity that the application places on another rank than the command line does.
  struct Moved {
    EntityId entity = kNone;
    Rank from = 0;  ///< as the application says
  };
  std::vector<Moved> moved;

  /// Do both belong to one rank? An entity of each rank belongs to all.
  [[nodiscard]] bool together(EntityId a, EntityId b) const {
    return rank_of[a] == rank_of[b] || rank_of[a] == kEach || rank_of[b] == kEach;
  }
};

/// Places the entities of a graph without errors on `ranks` ranks: as the place files of the
/// document say, else as components gxr::mpi::Placement and `rank` of their documents say. Reports
/// names that are not there, ranks that are too great, entities in two places, and entities without
/// a place that have codelets.
GXR_INTERNAL_API RankMap place_entities(const Document& document, const Graph& graph,
                                        const TypeCatalog& catalog, Rank ranks,
                                        Diagnostics& diagnostics);

}  // namespace gxr

#include "ranks/rank_map.hpp"

#include <algorithm>
#include <set>
#include <string>
#include <utility>

#include "document/number_text.hpp"
#include "graph/entity_places.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

class RankPlacer {
 public:
  RankPlacer(const Graph& graph, const TypeCatalog& catalog, Rank ranks, Diagnostics& diagnostics)
      : graph_(graph),
        diagnostics_(diagnostics),
        errors_before_(diagnostics.errors()),
        places_(graph, catalog, diagnostics) {
    map_.ranks = ranks;
    map_.rank_of.assign(graph.entities.size(), RankMap::kEach);
    places_.read_application();
  }

  void read_file(const Value& root) {
    has_file_ = true;
    places_.read_file(root,
                      [this](Rank rank, const Value& value) { return is_there(rank, value); });
  }

  RankMap finish() {
    for (const GraphEntity& entity : graph_.entities) {
      take(entity, places_.of(entity.id));
    }
    if (diagnostics_.errors() == errors_before_ && !is_all_on_one()) {
      find_without_place();
    }
    return std::move(map_);
  }

 private:
  /// One rank that nobody has asked more of runs the application as it is.
  [[nodiscard]] bool is_all_on_one() const { return map_.ranks == 1 && !has_file_; }

  /// Is there such a rank?
  bool is_there(Rank rank, const Value& value) {
    if (rank < map_.ranks) {
      return true;
    }
    if (told_.insert(&value).second) {
      diagnostics_.add(DiagnosticCode::PlaceFile, value,
                       "there is no rank " + std::to_string(rank) + ": with " +
                           counted(map_.ranks, "rank", "ranks") + ", the last is " +
                           std::to_string(map_.ranks - 1),
                       "take more ranks, or another rank");
    }
    return false;
  }

  void take(const GraphEntity& entity, const EntityPlace& place) {
    const bool is_said_by_application = place.by == EntityPlace::By::Application;
    if (map_.ranks == 1 && (is_said_by_application || (!has_file_ && places_.works(entity.id)))) {
      map_.rank_of[entity.id] = 0;
      return;
    }
    if (!place.rank || !is_there(*place.rank, *place.said_rank)) {
      return;
    }
    map_.rank_of[entity.id] = *place.rank;
    if (map_.ranks > 1 && place.else_rank && *place.else_rank != *place.rank) {
      map_.moved.push_back({entity.id, *place.else_rank});
    }
  }

  void find_without_place() {
    const bool has_any =
        std::ranges::any_of(map_.rank_of, [](const Rank rank) { return rank != RankMap::kEach; });
    for (const GraphEntity& entity : graph_.entities) {
      if (places_.works(entity.id) && places_.of(entity.id).by == EntityPlace::By::Nothing) {
        report_without_place(entity, has_any);
        if (!has_any) {
          break;  // one word is enough
        }
      }
    }
  }

  void report_without_place(const GraphEntity& entity, bool has_any) {
    if (has_any) {
      diagnostics_.add(DiagnosticCode::NoPlace, entity.where, length_of(entity.name),
                       in_quotes(entity.name) + " is on no rank",
                       "name it in the file of --place or in a gxr::mpi::Placement, or write "
                       "'rank: 0' into its document");
    } else {
      diagnostics_.add(DiagnosticCode::NoPlace, entity.where, length_of(entity.name),
                       "nothing says which rank runs which entity",
                       "write a file such as '0: [" + entity.name +
                           "]' for --place, a gxr::mpi::Placement, or 'rank: 0' into documents");
    }
  }

  const Graph& graph_;
  Diagnostics& diagnostics_;
  std::size_t errors_before_;
  EntityPlaces places_;
  bool has_file_ = false;
  std::set<const Value*> told_;
  RankMap map_;
};

}  // namespace

RankMap place_entities(const Document& document, const Graph& graph, const TypeCatalog& catalog,
                       Rank ranks, Diagnostics& diagnostics) {
  RankPlacer placer(graph, catalog, ranks, diagnostics);
  for (const Value* const file : document.place_files()) {
    placer.read_file(*file);
  }
  return placer.finish();
}

}  // namespace gxr

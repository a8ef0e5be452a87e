#include "ranks/rank_map.hpp"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <fnmatch.h>

#include "graph/rank_key.hpp"
#include "graph/roles.hpp"
#include "graph/suggester.hpp"
#include "graph/text.hpp"
#include "graph/working_entities.hpp"

namespace gxr {
namespace {

constexpr const char* kPlaceForm = "write '0: [camera, filter]' and '1: [writer]'";

/// How sure an entry of a place file is of an entity.
enum class Match : std::uint8_t { None, Pattern, Subgraph, Name };

class RankPlacer {
 public:
  /// `works`: what each rank cannot have of its own.
  RankPlacer(const Graph& graph, const TypeCatalog& catalog, std::vector<bool> works, Rank ranks,
             Diagnostics& diagnostics)
      : graph_(graph),
        suggester_(graph, catalog),
        works_(std::move(works)),
        diagnostics_(diagnostics),
        errors_before_(diagnostics.errors()),
        places_(graph.entities.size()) {
    map_.ranks = ranks;
    map_.rank_of.assign(graph.entities.size(), RankMap::kEach);
  }

  void read_file(const Value& root) {
    if (!root.is_map()) {
      diagnostics_.add(DiagnosticCode::PlaceFile, root,
                       "a place file is a map from ranks to entities", kPlaceForm);
      return;
    }
    for (std::size_t i = 0; i < root.size(); ++i) {
      const std::optional<Rank> rank = rank_in(root.key(i));
      const Value& names = root.value(i);
      if (names.is_sequence()) {
        for (std::size_t j = 0; j < names.size(); ++j) {
          place(names.at(j), rank);
        }
      } else {
        place(names, rank);
      }
    }
  }

  /// Where no file says more.
  void use_keys() {
    for (const GraphEntity& entity : graph_.entities) {
      Place& place = places_[entity.id];
      if (place.match == Match::None && entity.rank) {
        place.match = Match::Name;
        if (is_there(entity.rank->rank, *entity.rank->value)) {
          map_.rank_of[entity.id] = entity.rank->rank;
        }
      }
    }
  }

  RankMap finish() {
    if (diagnostics_.errors() == errors_before_) {
      find_without_place();
    }
    return std::move(map_);
  }

 private:
  struct Place {
    Match match = Match::None;
    const Value* said = nullptr;  ///< the entry of a place file
    std::optional<Rank> rank;     ///< nothing: the entry's is wrong, which was reported
  };

  std::optional<Rank> rank_in(const Value& value) {
    const std::optional<Rank> rank = read_rank(value, diagnostics_);
    return rank && is_there(*rank, value) ? rank : std::nullopt;
  }

  /// Is there such a rank?
  bool is_there(Rank rank, const Value& value) {
    if (rank < map_.ranks) {
      return true;
    }
    diagnostics_.add(DiagnosticCode::PlaceFile, value,
                     "there is no rank " + std::to_string(rank) + ": with " +
                         std::to_string(map_.ranks) + " ranks, the last is " +
                         std::to_string(map_.ranks - 1),
                     "take more ranks, or another rank");
    return false;
  }

  void place(const Value& name, std::optional<Rank> rank) {
    if (!name.is_scalar() || name.text().empty()) {
      diagnostics_.add(DiagnosticCode::PlaceFile, name, "this is no name of an entity", kPlaceForm);
      return;
    }
    if (const GraphEntity* const entity = graph_.find_entity(name.text())) {
      place(*entity, Match::Name, name, rank);
      return;
    }
    bool found = false;
    const bool is_subgraph = graph_.find_interface(name.text()) != nullptr;
    for (const GraphEntity& entity : graph_.entities) {
      const Match match = match_of(name.text(), is_subgraph, entity);
      if (match != Match::None) {
        found = true;
        place(entity, match, name, rank);
      }
    }
    if (!found) {
      diagnostics_.add(DiagnosticCode::EntityNotFound, name,
                       "there is no entity " + in_quotes(name.text()),
                       suggester_.entity(name.text()));
    }
  }

  /// Of a name that is none of an entity.
  [[nodiscard]] Match match_of(std::string_view name, bool is_subgraph,
                               const GraphEntity& entity) const {
    if (!works_[entity.id]) {
      return Match::None;
    }
    const std::string& full = entity.name;
    if (is_subgraph) {
      const bool is_inside =
          full.size() > name.size() && full[name.size()] == '.' && full.starts_with(name);
      return is_inside ? Match::Subgraph : Match::None;
    }
    const bool is_pattern = name.find_first_of("*?[") != std::string_view::npos;
    return is_pattern && ::fnmatch(std::string(name).c_str(), full.c_str(), 0) == 0 ? Match::Pattern
                                                                                    : Match::None;
  }

  void place(const GraphEntity& entity, Match match, const Value& name, std::optional<Rank> rank) {
    Place& known = places_[entity.id];
    if (match < known.match) {
      return;
    }
    if (match == known.match && known.rank && rank && *known.rank != *rank) {
      diagnostics_
          .add(DiagnosticCode::PlaceFile, name,
               in_quotes(entity.name) + " is on two ranks: " + std::to_string(*known.rank) +
                   " and " + std::to_string(*rank),
               "name it once")
          .related.push_back({known.said->location(), "rank " + std::to_string(*known.rank)});
      return;
    }
    known = {match, &name, rank};
    map_.rank_of[entity.id] = rank.value_or(RankMap::kEach);
  }

  void find_without_place() {
    const bool has_any =
        std::ranges::any_of(places_, [](const Place& place) { return place.match != Match::None; });
    for (const GraphEntity& entity : graph_.entities) {
      if (works_[entity.id] && places_[entity.id].match == Match::None) {
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
                       "name it in the file of --place, or write 'rank: 0' into its document");
    } else {
      diagnostics_.add(DiagnosticCode::NoPlace, entity.where, length_of(entity.name),
                       "nothing says which rank runs which entity",
                       "write a file such as '0: [" + entity.name +
                           "]' for --place, or 'rank: 0' into "
                           "documents");
    }
  }

  const Graph& graph_;
  Suggester suggester_;
  std::vector<bool> works_;
  Diagnostics& diagnostics_;
  std::size_t errors_before_;
  std::vector<Place> places_;
  RankMap map_;
};

}  // namespace

RankMap place_entities(const Document& document, const Graph& graph, const TypeCatalog& catalog,
                       Rank ranks, Diagnostics& diagnostics) {
  Roles roles(catalog);
  std::vector<bool> works = entities_with_codelets(graph, roles);
  for (const Link& link : graph.links) {
    works[graph.components[link.transmitter].entity] = true;
    works[graph.components[link.receiver].entity] = true;
  }
  RankPlacer placer(graph, catalog, std::move(works), ranks, diagnostics);
  for (const Value* const file : document.place_files()) {
    placer.read_file(*file);
  }
  placer.use_keys();
  return placer.finish();
}

}  // namespace gxr

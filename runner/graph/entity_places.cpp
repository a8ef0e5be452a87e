#include "graph/entity_places.hpp"

#include <algorithm>
#include <string>

#include <fnmatch.h>

#include "graph/rank_key.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"
#include "graph/working_entities.hpp"

namespace gxr {
namespace {

using By = EntityPlace::By;
using Match = EntityPlace::Match;

constexpr const char* kPlaceForm = "write '0: [camera, filter]' and '1: [writer]'";
constexpr std::string_view kPlacementType = "gxr::mpi::Placement";
/// Its parameter.
constexpr std::string_view kRanksKey = "ranks";

std::vector<bool> entities_of_one_rank(const Graph& graph, const TypeCatalog& catalog) {
  Roles roles(catalog);
  std::vector<bool> works = entities_with_codelets(graph, roles);
  for (const Link& link : graph.links) {
    works[graph.components[link.transmitter].entity] = true;
    works[graph.components[link.receiver].entity] = true;
  }
  return works;
}

}  // namespace

bool places_entities(const GraphComponent& component, const ParameterAssignment& assignment) {
  return component.type != nullptr && component.type->name == kPlacementType &&
         assignment.key == kRanksKey && assignment.value->is_map();
}

EntityPlaces::EntityPlaces(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics)
    : graph_(graph),
      diagnostics_(diagnostics),
      suggester_(graph, catalog),
      works_(entities_of_one_rank(graph, catalog)),
      places_(graph.entities.size()) {}

bool EntityPlaces::has_component(const Graph& graph) {
  return std::ranges::any_of(graph.components, [](const GraphComponent& component) {
    return component.type != nullptr && component.type->name == kPlacementType;
  });
}

void EntityPlaces::read_application() {
  for (const GraphComponent& component : graph_.components) {
    const ParameterAssignment* const ranks = component.find(kRanksKey);
    if (ranks == nullptr || !places_entities(component, *ranks)) {
      continue;  // it is another component, or that was reported
    }
    for (std::size_t i = 0; i < ranks->value->size(); ++i) {
      const Value& rank = ranks->value->key(i);
      read_entry({By::Application, graph_.scopes[ranks->scope].prefix,
                  read_rank(rank, diagnostics_), &rank},
                 ranks->value->value(i));
    }
  }
  read_keys();
}

void EntityPlaces::read_keys() {
  for (const GraphEntity& entity : graph_.entities) {
    if (entity.rank) {
      place(entity.id, {By::Application, {}, entity.rank->rank, entity.rank->value},
            entity.rank->of_subgraph ? Match::Subgraph : Match::Name, *entity.rank->value);
    }
  }
}

void EntityPlaces::read_file(const Value& root, const IsThere& is_there) {
  if (!root.is_map()) {
    diagnostics_.add(DiagnosticCode::PlaceFile, root,
                     "a place file is a map from ranks to entities", kPlaceForm);
    return;
  }
  for (std::size_t i = 0; i < root.size(); ++i) {
    std::optional<std::uint32_t> rank = read_rank(root.key(i), diagnostics_);
    if (rank && !is_there(*rank, root.key(i))) {
      rank.reset();
    }
    read_entry({By::CommandLine, {}, rank, &root.key(i)}, root.value(i));
  }
}

void EntityPlaces::read_entry(const Entry& entry, const Value& names) {
  if (!names.is_sequence()) {
    place(entry, names);
    return;
  }
  for (std::size_t i = 0; i < names.size(); ++i) {
    place(entry, names.at(i));
  }
}

void EntityPlaces::place(const Entry& entry, const Value& name) {
  if (!name.is_scalar() || name.text().empty()) {
    diagnostics_.add(DiagnosticCode::PlaceFile, name, "this is no name of an entity", kPlaceForm);
    return;
  }
  const std::string full = std::string(entry.prefix) + std::string(name.text());
  if (const GraphEntity* const entity = graph_.find_entity(full)) {
    place(entity->id, entry, Match::Name, name);
    return;
  }
  bool found = false;
  for (const GraphEntity& entity : graph_.entities) {
    const Match match = match_of(name.text(), entry.prefix, entity);
    if (match != Match::None) {
      found = true;
      place(entity.id, entry, match, name);
    }
  }
  if (!found) {
    std::string hint = suggester_.entity(name.text(), entry.prefix);
    if (hint.empty()) {
      hint = suggester_.in_subgraphs(name.text());
    }
    diagnostics_.add(DiagnosticCode::EntityNotFound, name, "there is no entity " + in_quotes(full),
                     std::move(hint));
  }
}

/// Of a name that is none of an entity. An application as 'gxr expand' prints it has no subgraphs
/// any more, but the names of their entities.
Match EntityPlaces::match_of(std::string_view name, std::string_view prefix,
                             const GraphEntity& entity) const {
  if (!works_[entity.id] || !entity.name.starts_with(prefix)) {
    return Match::None;
  }
  const std::string own = entity.name.substr(prefix.size());
  if (own.size() > name.size() && own[name.size()] == '.' && own.starts_with(name)) {
    return Match::Subgraph;
  }
  const bool is_pattern = name.find_first_of("*?[") != std::string_view::npos;
  return is_pattern && ::fnmatch(std::string(name).c_str(), own.c_str(), 0) == 0 ? Match::Pattern
                                                                                 : Match::None;
}

void EntityPlaces::place(EntityId entity, const Entry& entry, Match match, const Value& said) {
  EntityPlace& known = places_[entity];
  if (entry.by > known.by) {
    known = {entry.by, match, entry.rank, &said, entry.rank_value, known.rank};
    return;
  }
  if (match < known.match) {
    return;
  }
  if (match == known.match && known.rank && entry.rank && *known.rank != *entry.rank) {
    diagnostics_
        .add(DiagnosticCode::PlaceFile, said,
             in_quotes(graph_.entities[entity].name) + " is on two ranks: " +
                 std::to_string(*known.rank) + " and " + std::to_string(*entry.rank),
             "name it once")
        .related.push_back({known.said->location(), "rank " + std::to_string(*known.rank)});
    return;
  }
  known = {entry.by, match, entry.rank, &said, entry.rank_value, known.else_rank};
}

}  // namespace gxr

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// How an entity is written in the short form.
struct ShortText {
  const GraphComponent* codelet = nullptr;
  /// Names of receivers, each with what is connected to it: "entity" or "entity/output".
  std::vector<std::pair<std::string_view, std::vector<std::string>>> inputs;
  /// Settings of a queue and of its term.
  struct Port {
    std::string_view name;
    std::vector<const ParameterAssignment*> settings;
  };
  std::vector<Port> ports;
  const ParameterAssignment* count = nullptr;
  const ParameterAssignment* period = nullptr;
  std::vector<ComponentId> terms;             ///< written as they are
  std::vector<std::string_view> made;         ///< parameters of the codelet that are left out
  std::vector<std::string_view> unspecified;  ///< parameters that get no component
};

/// The entities of a graph that have a short form, and what is not written then.
struct ShortTexts {
  std::unordered_map<EntityId, ShortText> entities;
  std::vector<bool> connections;  ///< by component: a Connection that `inputs` say
  std::vector<bool> left_out;     ///< by entity: made for the short form
};

/// An entity has a short form if that gives back its components, their parameters and their
/// connections. Only names of the codelet and of terms are lost, and only if nothing refers to
/// them. Entities in `without` have none.
[[nodiscard]] ShortTexts shorten(const Graph& graph, const TypeCatalog& catalog,
                                 const std::vector<bool>& without);

/// The entities whose components, parameters or connections differ in the two graphs, by the ids of
/// the first, apart from names that nothing refers to; of other entities, all.
[[nodiscard]] std::vector<EntityId> different_entities(const Graph& graph, const Graph& other,
                                                       const TypeCatalog& catalog);

}  // namespace gxr

#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// "Did you mean" for the names of one application, computed only for errors. It stops after a
/// fixed amount of work, so that a file with thousands of errors is still reported at once.
class Suggester {
 public:
  Suggester(const Graph& graph, const TypeCatalog& catalog) : graph_(graph), catalog_(catalog) {}

  /// Each returns "did you mean 'x'?" or "". For a component: else the names that the entity has.
  std::string entity_among(std::string_view word, const std::vector<std::string_view>& names);
  std::string among(std::string_view word, const std::vector<std::string_view>& candidates);
  std::string entity(std::string_view word);
  /// For a name inside of the subgraph with this prefix, where names are written without it.
  std::string entity(std::string_view word, std::string_view prefix);
  /// The entities of subgraphs that are called so there, at most three.
  std::string in_subgraphs(std::string_view word);
  std::string interface(std::string_view word, const EntityInterface& interface);
  std::string component(std::string_view word, const GraphEntity& entity);
  /// Does one of the entity's components have a name that is nearly the word?
  bool is_like_component(std::string_view word, const GraphEntity& entity);
  /// Has the entity a component that may be of this base type?
  bool has_fitting(const GraphEntity& entity, const std::string& type);
  /// Of the types that a file can name. To be asked once for each type.
  std::string type(std::string_view word);
  /// The parameter's key that is meant, or "".
  std::string parameter(std::string_view word, const TypeInfo& type);
  /// "entity/name" of the components of this name and base type anywhere, at most three, as "did
  /// you mean 'a/x' or 'b/x'?".
  std::string elsewhere(std::string_view name, const std::string& type);
  /// Names of the types that can be used for this base type, at most four: "a, b".
  [[nodiscard]] const std::string& derived_types(std::string_view base);
  /// "it has: 'a', 'b'", at most five names.
  static std::string has(const std::vector<std::string_view>& names);

 private:
  /// The nearest candidate, or "".
  std::string nearest(std::string_view word, const std::vector<std::string_view>& candidates);
  static std::string number_of(std::string_view word,
                               const std::vector<std::string_view>& candidates);
  std::string nearest_of_gxr(const std::string& word);
  const std::vector<std::string_view>& names_in(const GraphEntity& entity);
  [[nodiscard]] bool can_be_written(std::string_view name) const;
  static std::string with_colons(std::string_view word);
  /// Types with the last part of the name, in another namespace of the same first part; at most
  /// three.
  [[nodiscard]] std::string beside(std::string_view word) const;

  const Graph& graph_;
  const TypeCatalog& catalog_;
  std::size_t comparisons_left_ = 400'000;
  std::vector<std::string_view> entity_names_;
  std::vector<std::string_view> type_names_;
  std::unordered_map<std::string, std::string> derived_types_;
  std::map<std::pair<EntityId, std::string>, bool> fitting_;
  std::unordered_map<EntityId, std::vector<std::string_view>> component_names_;
};

}  // namespace gxr

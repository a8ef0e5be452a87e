#pragma once

#include <cstddef>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "graph/graph.hpp"

namespace gxr {

/// Finds the components of an entity by name: looks through small entities, keeps an index of large
/// ones. May be used while components are still being added.
class ComponentNames {
 public:
  explicit ComponentNames(const Graph& graph) : graph_(graph) {}

  /// Components of this name in order; valid until the next call.
  const std::vector<ComponentId>& find(const GraphEntity& entity, std::string_view name);

 private:
  struct Index {
    std::size_t indexed = 0;
    std::unordered_map<std::string_view, std::vector<ComponentId>> by_name;
  };
  const std::vector<ComponentId>& find_indexed(const GraphEntity& entity, std::string_view name);

  const Graph& graph_;
  std::vector<ComponentId> found_;
  std::unordered_map<EntityId, Index> indices_;
};

}  // namespace gxr

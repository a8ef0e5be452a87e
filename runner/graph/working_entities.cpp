#include "graph/working_entities.hpp"

#include "graph/unknown_work.hpp"

namespace gxr {

std::vector<bool> entities_with_codelets(const Graph& graph, Roles& roles) {
  std::vector<bool> found(graph.entities.size());
  for (const GraphEntity& entity : graph.entities) {
    found[entity.id] = !unknown_work(graph, entity).empty();
  }
  for (const GraphComponent& component : graph.components) {
    if (roles.has(component, Role::Codelet)) {
      found[component.entity] = true;
    }
  }
  return found;
}

}  // namespace gxr

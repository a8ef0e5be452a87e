#include "plan/activation_order.hpp"

#include <algorithm>
#include <numeric>

#include "graph/roles.hpp"

namespace gxr {
namespace {

constexpr Role kClasses[] = {Role::System, Role::Router, Role::Connection, Role::NetworkContext};

}  // namespace

std::vector<EntityId> activation_order(const Graph& graph, const TypeCatalog& catalog) {
  Roles roles(catalog);
  std::vector<std::size_t> class_of(graph.entities.size(), std::size(kClasses));
  for (const GraphComponent& component : graph.components) {
    for (std::size_t i = 0; i < class_of[component.entity]; ++i) {
      if (roles.has(component, kClasses[i])) {
        class_of[component.entity] = i;
      }
    }
  }
  std::vector<EntityId> order(graph.entities.size());
  std::iota(order.begin(), order.end(), EntityId{0});
  std::ranges::stable_sort(order, {}, [&](EntityId entity) { return class_of[entity]; });
  return order;
}

}  // namespace gxr

#include "plan/work_graph.hpp"

#include <string_view>

#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"

namespace gxr {
namespace {

bool is_passage(const GraphComponent& codelet) {
  const std::string_view type = codelet.type->name;
  return type == "gxr::Forward" ||
         (type == "gxr::Broadcast" && parameter_text(codelet, "mode") == "Broadcast");
}

void sort_in(const GraphComponent& component, Roles& roles, WorkEntity& entity) {
  if (roles.has(component, Role::Codelet)) {
    entity.codelets.push_back(component.id);
  } else if (roles.has(component, Role::SchedulingTerm) ||
             roles.has(component, Role::TermCombiner)) {
    entity.terms.push_back(component.id);
  } else if (roles.has(component, Role::Receiver)) {
    entity.receivers.push_back(component.id);
  } else if (roles.has(component, Role::Transmitter)) {
    entity.transmitters.push_back(component.id);
  } else if (component.type != nullptr && component.type->name == "gxr::cuda::DataReadyHandler") {
    entity.handlers.push_back(component.id);
  }
}

WorkEntity::Kind kind_of(const Graph& graph, const WorkEntity& entity) {
  if (entity.codelets.empty()) {
    return WorkEntity::Kind::Idle;
  }
  const GraphComponent& first = graph.components[entity.codelets.front()];
  if (entity.codelets.size() > 1) {
    return WorkEntity::Kind::Other;
  }
  if (first.type->capturable) {
    return WorkEntity::Kind::Operator;
  }
  return is_passage(first) ? WorkEntity::Kind::Passage : WorkEntity::Kind::Other;
}

}  // namespace

WorkGraph::WorkGraph(const Graph& whole, const TypeCatalog& types)
    : graph(whole), catalog(types), entities(whole.entities.size()) {
  Roles roles(types);
  for (const GraphComponent& component : graph.components) {
    sort_in(component, roles, entities[component.entity]);
  }
  for (WorkEntity& entity : entities) {
    entity.kind = kind_of(graph, entity);
  }
  for (const Link& link : graph.links) {
    if (!link.duplicate) {
      entities[entity_of(link.transmitter)].outgoing.push_back(link);
      entities[entity_of(link.receiver)].incoming.push_back(link);
    }
  }
}

}  // namespace gxr

#include <algorithm>
#include <string>
#include <vector>

#include "graph/message_flow.hpp"
#include "graph/passes/passes.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"

namespace gxr::passes {
namespace {

/// Terms by which an entity may well tick without looking at its receivers: it polls, or somebody
/// else tells it.
bool runs_by_other_means(const GraphComponent& component, Roles& roles) {
  using Can = Capability::Kind;
  constexpr Can kKnown[] = {Can::WaitsForMessages, Can::WaitsForRoom, Can::LimitsTicks,
                            Can::SwitchesTicks};
  return roles.has(component, Role::SchedulingTerm) && std::ranges::none_of(kKnown, [&](Can kind) {
           return component.capability(kind) != nullptr;
         });
}

std::vector<bool> find_pollers(const Graph& graph, Roles& roles) {
  std::vector<bool> pollers(graph.entities.size());
  for (const GraphComponent& component : graph.components) {
    if (runs_by_other_means(component, roles)) {
      pollers[component.entity] = true;
    }
  }
  return pollers;
}

}  // namespace

void not_waited_for(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  Roles roles(catalog);
  const MessageFlow flow(graph, catalog);
  const std::vector<bool> pollers = find_pollers(graph, roles);
  for (const GraphComponent& component : graph.components) {
    const bool judged = roles.has(component, Role::Receiver) &&
                        component.capability(Capability::Kind::PlainQueue) != nullptr &&
                        flow.has_codelets(component.entity) && !flow.is_opaque(component.entity) &&
                        !pollers[component.entity];
    if (judged && flow.is_connected(component.id) && !flow.is_waited_for(component.id)) {
      diagnostics.add(DiagnosticCode::ReceiverNotWaitedFor, component.where,
                      where_length(component),
                      "no scheduling term waits for messages on " + called(graph, component) +
                          ", so its entity also ticks without any",
                      "add a gxr::MessageAvailableSchedulingTerm with 'receiver: " +
                          (component.name.empty() ? std::string("NAME") : component.name) + "'");
    }
  }
}

}  // namespace gxr::passes

#include <string>
#include <string_view>

#include "graph/passes/passes.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"

namespace gxr::passes {
namespace {

/// False for a handle that is <Unspecified>; true also for one that was reported as wrong.
bool is_given(const GraphComponent& component, std::string_view key) {
  const ParameterAssignment* assignment = component.find(key);
  return assignment != nullptr &&
         (assignment->handles.empty() || assignment->handles.front().target != kNone);
}

/// Names a clock that is there, or says how to add one.
std::string remedy(const Graph& graph, const TypeCatalog& catalog,
                   const GraphComponent& scheduler) {
  const GraphComponent* found = nullptr;
  for (const GraphComponent& clock : graph.components) {
    const bool own = clock.entity == scheduler.entity;
    if (clock.type == nullptr || clock.name.empty() || !catalog.is_a(*clock.type, "gxr::Clock") ||
        (!own && !graph.entity_of(clock).named)) {
      continue;
    }
    if (own) {
      return "write 'clock: " + clock.name + "' here";
    }
    found = found == nullptr ? &clock : found;
  }
  return found != nullptr
             ? "write 'clock: " + graph.full_name(*found) + "' here"
             : "add a component of type gxr::RealtimeClock with a name, and 'clock: NAME' here";
}

}  // namespace

void clocks(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  Roles roles(catalog);
  for (const GraphComponent& component : graph.components) {
    // Other schedulers declare their clock as mandatory.
    if (roles.has(component, Role::GreedyScheduler) && !component.flawed &&
        !is_given(component, "clock") && !is_given(component, "realtime")) {
      diagnostics.add(DiagnosticCode::MissingClock, component.type_location, type_length(component),
                      called(graph, component) + " has no clock",
                      remedy(graph, catalog, component));
    }
  }
}

}  // namespace gxr::passes

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

}  // namespace

void clocks(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  Roles roles(catalog);
  for (const GraphComponent& component : graph.components) {
    // Other schedulers declare their clock as mandatory.
    if (roles.has(component, Role::GreedyScheduler) && !is_given(component, "clock") &&
        !is_given(component, "realtime")) {
      diagnostics.add(
          DiagnosticCode::MissingClock, component.type_location, length_of(component.type_name),
          called(graph, component) + " has no clock",
          "add a component of type gxr::RealtimeClock with a name, and 'clock: NAME' here");
    }
  }
}

}  // namespace gxr::passes

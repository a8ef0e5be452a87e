#include <algorithm>
#include <string_view>

#include "graph/passes/passes.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"

namespace gxr::passes {
namespace {

/// A component whose type is not known, but is meant to be a scheduler by its name.
bool may_be_scheduler(const GraphComponent& component) {
  return component.type == nullptr && component.type_name.ends_with("Scheduler");
}

void report_none(const Graph& graph, Diagnostics& diagnostics) {
  if (!graph.entities.empty()) {
    const Location file{0, 0, graph.entities.front().where.source};
    diagnostics.add(DiagnosticCode::NoScheduler, file, 1, "no scheduler, so nothing would run",
                    "add an entity with a gxr::GreedyScheduler and a gxr::RealtimeClock");
  }
}

}  // namespace

void schedulers(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  Roles roles(catalog);
  const GraphComponent* first = nullptr;
  for (const GraphComponent& component : graph.components) {
    if (!roles.has(component, Role::Scheduler)) {
      continue;
    }
    if (first == nullptr) {
      first = &component;
      continue;
    }
    diagnostics
        .add(DiagnosticCode::SeveralSchedulers, component.type_location,
             length_of(component.type_name), called(graph, component) + " is a second scheduler",
             "keep one; each would run all entities")
        .related.push_back({first->type_location, "the first one is here"});
  }
  if (first == nullptr && std::ranges::none_of(graph.components, may_be_scheduler)) {
    report_none(graph, diagnostics);
  }
}

}  // namespace gxr::passes

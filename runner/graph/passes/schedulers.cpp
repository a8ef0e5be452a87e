#include <algorithm>
#include <string_view>
#include <vector>

#include "graph/passes/passes.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"

namespace gxr::passes {
namespace {

std::vector<std::string_view> scheduler_names(const TypeCatalog& catalog) {
  std::vector<std::string_view> names;
  for (const TypeInfo* type : catalog.types()) {
    if (!type->abstract && catalog.is_a(*type, "gxr::Scheduler")) {
      names.emplace_back(type->name);
      names.insert(names.end(), type->aliases.begin(), type->aliases.end());
    }
  }
  return names;
}

/// Could a component whose type is not known be meant to be a scheduler, by its name?
bool has_possible_scheduler(const Graph& graph, const TypeCatalog& catalog) {
  std::vector<std::string_view> names;
  return std::ranges::any_of(graph.components, [&](const GraphComponent& component) {
    if (component.type != nullptr) {
      return component.type->abstract && catalog.is_a(*component.type, "gxr::Scheduler");
    }
    if (component.type_name.empty() || component.type_name.ends_with("Scheduler")) {
      return true;
    }
    if (names.empty()) {
      names = scheduler_names(catalog);
    }
    return !did_you_mean(component.type_name, names).empty();
  });
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
        .add(DiagnosticCode::SeveralSchedulers, component.type_location, type_length(component),
             called(graph, component) + " is a second scheduler",
             "keep one; each would run all entities")
        .related.push_back({first->type_location, "the first one is here"});
  }
  if (first == nullptr && !graph.has_gaps() && !has_possible_scheduler(graph, catalog)) {
    report_none(graph, diagnostics);
  }
}

}  // namespace gxr::passes

#include <string_view>
#include <unordered_map>

#include "graph/passes/passes.hpp"
#include "graph/text.hpp"

namespace gxr::passes {
namespace {

void report(const Graph& graph, const GraphComponent& component, const GraphComponent& first,
            Diagnostics& diagnostics) {
  diagnostics
      .add(DiagnosticCode::DuplicateComponent, component.where, where_length(component),
           called(graph.entity_of(component)) + " has a second component '" + component.name + "'",
           "give it another name; handles take the first one whose type fits")
      .related.push_back({first.where, "the first one is here"});
}

}  // namespace

void duplicate_components(const Graph& graph, const TypeCatalog& /*catalog*/,
                          Diagnostics& diagnostics) {
  std::unordered_map<std::string_view, ComponentId> seen;
  for (const GraphEntity& entity : graph.entities) {
    if (entity.flawed) {
      continue;  // it may well be the cause
    }
    seen.clear();
    for (const ComponentId id : entity.components) {
      const GraphComponent& component = graph.components[id];
      if (component.name.empty()) {
        continue;
      }
      const auto [entry, added] = seen.emplace(component.name, id);
      if (!added) {
        report(graph, component, graph.components[entry->second], diagnostics);
      }
    }
  }
}

}  // namespace gxr::passes

#include "graph/check_swap.hpp"

#include <algorithm>
#include <utility>

#include "graph/check_change.hpp"
#include "graph/check_parameters.hpp"
#include "graph/passes/passes.hpp"
#include "graph/suggester.hpp"
#include "graph/text.hpp"
#include "gxr/codelet.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

std::string in_brackets(const std::string& hint) { return hint.empty() ? "" : " (" + hint + ")"; }

std::vector<ComponentId> codelets_of(const Graph& graph, const TypeCatalog& catalog,
                                     const GraphEntity& entity) {
  std::vector<ComponentId> codelets;
  for (const ComponentId id : entity.components) {
    const TypeInfo* const type = graph.components[id].type;
    if (type != nullptr && catalog.is_a(*type, type_name<Codelet>())) {
      codelets.push_back(id);
    }
  }
  return codelets;
}

ComponentId only_codelet(const Graph& graph, const TypeCatalog& catalog,
                         const GraphEntity& entity) {
  const std::vector<ComponentId> codelets = codelets_of(graph, catalog, entity);
  if (codelets.empty()) {
    throw Error(ErrorCode::NotSupported,
                called(entity) + " has no codelet that could be exchanged");
  }
  if (codelets.size() > 1) {
    std::vector<std::string_view> names;
    for (const ComponentId id : codelets) {
      const GraphComponent& component = graph.components[id];
      names.push_back(component.name.empty() ? component.type_name : component.name);
    }
    throw Error(ErrorCode::NotFound, called(entity) +
                                         " has several codelets: write ENTITY/COMPONENT (" +
                                         Suggester::has(names) + ")");
  }
  return codelets.front();
}

ComponentId codelet_called(const Graph& graph, const TypeCatalog& catalog,
                           const GraphEntity& entity, std::string_view name) {
  const auto found = std::ranges::find_if(entity.components, [&](ComponentId id) {
    const GraphComponent& component = graph.components[id];
    return component.name == name || (component.name.empty() && component.type_name == name);
  });
  if (found == entity.components.end()) {
    throw Error(ErrorCode::NotFound,
                called(entity) + " has no component " + in_quotes(name) +
                    in_brackets(Suggester(graph, catalog).component(name, entity)));
  }
  const TypeInfo* const type = graph.components[*found].type;
  if (type == nullptr || !catalog.is_a(*type, type_name<Codelet>())) {
    throw Error(ErrorCode::NotSupported, called(graph, graph.components[*found]) +
                                             " is no codelet: queues, terms and other components "
                                             "stay as long as the application runs");
  }
  return *found;
}

/// Puts what was set meanwhile in the place of what the files say.
void put_values(const SwapPlan& plan, Document& document, GraphComponent& component) {
  for (const auto& [key, yaml] : plan.values) {
    const auto same = std::ranges::find(component.parameters, key, &ParameterAssignment::key);
    ParameterAssignment& assignment =
        same != component.parameters.end() ? *same : component.parameters.emplace_back();
    assignment.key = document.keep(key);
    assignment.value = &document.make_value(yaml);
    assignment.overridden = true;
    assignment.handles.clear();
  }
}

}  // namespace

ComponentId find_codelet(const Graph& graph, const TypeCatalog& catalog, const std::string& name) {
  if (const GraphEntity* const entity = graph.find_entity(name)) {
    return only_codelet(graph, catalog, *entity);
  }
  const std::size_t slash = name.find('/');
  const std::string entity_name = name.substr(0, slash);
  const GraphEntity* const entity = graph.find_entity(entity_name);
  if (entity == nullptr) {
    throw Error(ErrorCode::NotFound,
                "there is no entity " + in_quotes(entity_name) +
                    in_brackets(Suggester(graph, catalog).entity(entity_name)));
  }
  return codelet_called(graph, catalog, *entity, std::string_view(name).substr(slash + 1));
}

void require_no_handles_to(const Graph& graph, ComponentId codelet) {
  std::string holders;
  for (const GraphComponent& component : graph.components) {
    for (const ParameterAssignment& parameter : component.parameters) {
      if (std::ranges::find(parameter.handles, codelet, &HandleReference::target) !=
          parameter.handles.end()) {
        holders += (holders.empty() ? "parameter " : ", parameter ") + in_quotes(parameter.key) +
                   " of " + called(graph, component);
      }
    }
  }
  if (!holders.empty()) {
    throw Error(ErrorCode::NotSupported,
                called(graph, graph.components[codelet]) +
                    " cannot be exchanged, because others refer to it: " + holders);
  }
}

Graph check_swap(const Graph& graph, const SwapPlan& plan, const TypeCatalog& catalog,
                 const SourceMap& sources, Document& document, bool compat_gxf) {
  Graph changed = graph.copy();
  GraphComponent& component = changed.components[plan.component];
  component.type = plan.type;
  component.type_name = plan.type->name;
  put_values(plan, document, component);
  Diagnostics diagnostics(compat_gxf);
  Suggester suggester(changed, catalog);
  check_parameters(document, sources, catalog, suggester, diagnostics, changed, component);
  require_no_errors(diagnostics, sources);
  for (const Pass& pass : validation_passes()) {
    pass.run(changed, catalog, diagnostics);
  }
  require_no_errors(diagnostics, sources);
  return changed;
}

}  // namespace gxr

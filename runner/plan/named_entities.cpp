#include "plan/named_entities.hpp"

#include <string>
#include <string_view>

#include "graph/text.hpp"

namespace gxr {

std::vector<EntityId> entities_called(const WorkGraph& work, const ParameterAssignment& list,
                                      const Value& name) {
  const std::string full = work.graph.scopes[list.scope].prefix + std::string(name.text());
  if (const GraphEntity* entity = work.graph.find_entity(full)) {
    return {entity->id};
  }
  std::vector<EntityId> found;
  for (const GraphEntity& entity : work.graph.entities) {
    if (!work.at(entity.id).codelets.empty() && entity.name.starts_with(full + ".")) {
      found.push_back(entity.id);
    }
  }
  return found;
}

std::vector<BranchName> names_in(const GraphComponent& branch, BranchKind kind) {
  std::vector<BranchName> found;
  const auto add = [&](const ParameterAssignment& list, const Value& names, std::size_t number) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      found.push_back({&list, &names.at(i), static_cast<std::uint32_t>(number)});
    }
  };
  if (kind == BranchKind::Switch) {
    const ParameterAssignment* const cases = branch.find("cases");
    for (std::size_t i = 0; cases != nullptr && i < cases->value->size(); ++i) {
      add(*cases, cases->value->at(i), i);
    }
    return found;
  }
  const std::vector<std::string_view> keys = kind == BranchKind::If
                                                 ? std::vector<std::string_view>{"then", "else"}
                                                 : std::vector<std::string_view>{"body"};
  for (std::size_t i = 0; i < keys.size(); ++i) {
    if (const ParameterAssignment* const list = branch.find(keys[i])) {
      add(*list, *list->value, i);
    }
  }
  return found;
}

void report_no_entity(const Graph& graph, const Value& name, Diagnostics& diagnostics) {
  std::vector<std::string_view> names;
  for (const GraphEntity& entity : graph.entities) {
    if (entity.named) {
      names.push_back(entity.name);
    }
  }
  diagnostics.add(DiagnosticCode::RegionEntityNotFound, name,
                  "there is no entity or subgraph " + in_quotes(name.text()),
                  suggestion(name.text(), names));
}

}  // namespace gxr

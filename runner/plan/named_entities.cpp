#include "plan/named_entities.hpp"

#include <string>

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

std::vector<BranchName> names_in(const WorkGraph& work, const Branch& branch) {
  std::vector<BranchName> found;
  for (const std::string_view key : branch_lists(branch.kind)) {
    const ParameterAssignment* const list = work.graph.components[branch.component].find(key);
    for (std::size_t i = 0; list != nullptr && i < list->value->size(); ++i) {
      const Value& item = list->value->at(i);
      if (branch.kind != BranchKind::Switch) {
        found.push_back({list, &item});
        continue;
      }
      for (std::size_t k = 0; k < item.size(); ++k) {
        found.push_back({list, &item.at(k)});
      }
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

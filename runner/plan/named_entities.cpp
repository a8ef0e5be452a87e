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

std::vector<BranchName> names_in(const GraphComponent& branch) {
  std::vector<BranchName> found;
  const auto add = [&](const ParameterAssignment& list, const Value& names, std::size_t number) {
    for (std::size_t i = 0; i < names.size(); ++i) {
      found.push_back({&list, &names.at(i), static_cast<std::uint32_t>(number)});
    }
  };
  const Capability& declared = *branch_of(branch);
  const ParameterAssignment* const first = branch.find(declared.key(1));
  if (kind_of(declared) == BranchKind::Switch) {
    for (std::size_t i = 0; first != nullptr && i < first->value->size(); ++i) {
      add(*first, first->value->at(i), i);
    }
    return found;
  }
  if (first != nullptr) {
    add(*first, *first->value, 0);
  }
  const ParameterAssignment* const second =
      kind_of(declared) == BranchKind::If ? branch.find(declared.key(2)) : nullptr;
  if (second != nullptr) {
    add(*second, *second->value, 1);
  }
  return found;
}

const Capability* branch_of(const GraphComponent& component) {
  using Can = Capability::Kind;
  for (const Can kind : {Can::BranchIf, Can::BranchSwitch, Can::BranchWhile, Can::BranchEvery}) {
    if (const Capability* const found = component.capability(kind)) {
      return found;
    }
  }
  return nullptr;
}

BranchKind kind_of(const Capability& branch) {
  switch (branch.kind) {
    case Capability::Kind::BranchSwitch:
      return BranchKind::Switch;
    case Capability::Kind::BranchWhile:
      return BranchKind::While;
    case Capability::Kind::BranchEvery:
      return BranchKind::Every;
    default:
      return BranchKind::If;
  }
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

#include "plan/work_graph.hpp"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"
#include "plan/named_entities.hpp"

namespace gxr {
namespace {

bool is_passage(const GraphComponent& codelet) {
  const std::string_view type = codelet.type->name;
  return type == "gxr::Forward" ||
         (type == "gxr::Broadcast" && parameter_text(codelet, "mode") == "Broadcast");
}

void sort_in(const GraphComponent& component, Roles& roles, WorkEntity& entity) {
  if (roles.has(component, Role::Codelet)) {
    entity.codelets.push_back(component.id);
  } else if (roles.has(component, Role::SchedulingTerm) ||
             roles.has(component, Role::TermCombiner)) {
    entity.terms.push_back(component.id);
  } else if (roles.has(component, Role::Receiver)) {
    entity.receivers.push_back(component.id);
  } else if (roles.has(component, Role::Transmitter)) {
    entity.transmitters.push_back(component.id);
  } else if (component.type != nullptr && component.type->name == "gxr::cuda::DataReadyHandler") {
    entity.handlers.push_back(component.id);
  }
}

WorkEntity::Kind kind_of(const Graph& graph, const WorkEntity& entity) {
  if (entity.codelets.empty()) {
    return WorkEntity::Kind::Idle;
  }
  const GraphComponent& first = graph.components[entity.codelets.front()];
  if (entity.codelets.size() > 1) {
    return WorkEntity::Kind::Other;
  }
  if (first.type->capturable) {
    return WorkEntity::Kind::Operator;
  }
  return is_passage(first) ? WorkEntity::Kind::Passage : WorkEntity::Kind::Other;
}

std::optional<BranchKind> branch_kind(const GraphComponent& component) {
  constexpr std::pair<std::string_view, BranchKind> kTypes[] = {
      {"gxr::cuda::If", BranchKind::If},
      {"gxr::cuda::Switch", BranchKind::Switch},
      {"gxr::cuda::While", BranchKind::While}};
  for (const auto& [name, kind] : kTypes) {
    if (component.type != nullptr && component.type->name == name) {
      return kind;
    }
  }
  return std::nullopt;
}

void add_list(const WorkGraph& work, const ParameterAssignment& list, const Value& names,
              Branch& branch) {
  std::vector<EntityId>& found = branch.alternatives.emplace_back();
  for (std::size_t i = 0; i < names.size(); ++i) {
    for (const EntityId entity : entities_called(work, list, names.at(i))) {
      found.push_back(entity);
      branch.names[entity] = &names.at(i);
    }
  }
  std::ranges::sort(found);
  found.erase(std::unique(found.begin(), found.end()), found.end());
}

Branch read_branch(const WorkGraph& work, const GraphComponent& component, BranchKind kind) {
  Branch branch;
  branch.kind = kind;
  branch.component = component.id;
  branch.selector = component.handle(kind == BranchKind::While ? "condition" : "selector");
  if (kind == BranchKind::Switch) {
    const ParameterAssignment* const cases = component.find("cases");
    for (std::size_t i = 0; cases != nullptr && i < cases->value->size(); ++i) {
      add_list(work, *cases, cases->value->at(i), branch);
    }
    return branch;
  }
  for (const std::string_view key : branch_lists(kind)) {
    if (const ParameterAssignment* const list = component.find(key)) {
      add_list(work, *list, *list->value, branch);
    } else {
      branch.alternatives.emplace_back();
    }
  }
  return branch;
}

}  // namespace

bool has_branches(const Graph& graph) {
  return std::ranges::any_of(graph.components, [](const GraphComponent& component) {
    return branch_kind(component).has_value();
  });
}

std::vector<std::string_view> branch_lists(BranchKind kind) {
  switch (kind) {
    case BranchKind::If:
      return {"then", "else"};
    case BranchKind::While:
      return {"body"};
    case BranchKind::Switch:
      break;
  }
  return {"cases"};
}

WorkGraph::WorkGraph(const Graph& whole, const TypeCatalog& types)
    : graph(whole), catalog(types), entities(whole.entities.size()) {
  Roles roles(types);
  for (const GraphComponent& component : graph.components) {
    sort_in(component, roles, entities[component.entity]);
  }
  for (WorkEntity& entity : entities) {
    entity.kind = kind_of(graph, entity);
  }
  for (const Link& link : graph.links) {
    if (!link.duplicate) {
      entities[entity_of(link.transmitter)].outgoing.push_back(link);
      entities[entity_of(link.receiver)].incoming.push_back(link);
    }
  }
  std::vector<Branch> found;
  for (const GraphComponent& component : graph.components) {
    if (const std::optional<BranchKind> kind = branch_kind(component)) {
      found.push_back(read_branch(*this, component, *kind));
    }
  }
  branches = Branches(std::move(found), entities.size());
}

}  // namespace gxr

#include "plan/work_graph.hpp"

#include <algorithm>
#include <utility>

#include "device/graph_options.hpp"
#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"
#include "plan/named_entities.hpp"
#include "registry/capabilities.hpp"

namespace gxr {
namespace {

static_assert(std::ranges::equal(EnumNames<BranchLaunch>::values, kBranchLaunches, {},
                                 [](const auto& entry) { return std::string_view(entry.second); }));

bool is_passage(const GraphComponent& codelet) {
  const Capability* const passes = codelet.capability(Capability::Kind::PassesEachMessage);
  return passes != nullptr &&
         (passes->value.empty() || parameter_text(codelet, passes->key(0)) == passes->value);
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
  } else if (component.capability(Capability::Kind::LooksForInput) != nullptr) {
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

std::size_t count_of_bodies(const GraphComponent& component, const Capability& declared,
                            BranchKind kind) {
  if (kind == BranchKind::Switch) {
    const ParameterAssignment* const cases = component.find(declared.key(1));
    return cases == nullptr ? 0 : cases->value->size();
  }
  return kind == BranchKind::If ? 2 : 1;
}

Branch read_branch(const WorkGraph& work, const GraphComponent& component,
                   const Capability& declared) {
  Branch branch;
  branch.kind = kind_of(declared);
  branch.component = component.id;
  if (branch.kind == BranchKind::Every) {
    branch.launch = enum_parameter<BranchLaunch>(component, declared.key(3));
  } else {
    branch.selector = component.handle(declared.key(0));
  }
  branch.alternatives.resize(count_of_bodies(component, declared, branch.kind));
  for (const auto& [list, name, alternative] : names_in(component)) {
    for (const EntityId entity : entities_called(work, *list, *name)) {
      branch.alternatives[alternative].push_back(entity);
      branch.names[entity] = name;
    }
  }
  for (std::vector<EntityId>& body : branch.alternatives) {
    std::ranges::sort(body);
    body.erase(std::unique(body.begin(), body.end()), body.end());
  }
  return branch;
}

}  // namespace

bool needs_graph(const Graph& graph) {
  return std::ranges::any_of(graph.links, &Link::delayed) ||
         std::ranges::any_of(graph.components, [](const GraphComponent& component) {
           return branch_of(component) != nullptr;
         });
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
    if (!link.duplicate && link.delayed) {
      delayed.push_back(link);
    } else if (!link.duplicate) {
      entities[entity_of(link.transmitter)].outgoing.push_back(link);
      entities[entity_of(link.receiver)].incoming.push_back(link);
    }
  }
  std::vector<Branch> found;
  for (const GraphComponent& component : graph.components) {
    if (const Capability* const declared = branch_of(component)) {
      found.push_back(read_branch(*this, component, *declared));
    }
  }
  branches = Branches(std::move(found), entities.size());
}

}  // namespace gxr

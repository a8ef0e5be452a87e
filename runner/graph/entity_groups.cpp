#include "graph/entity_groups.hpp"

#include <algorithm>
#include <string>

#include "graph/roles.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

class GroupMaker {
 public:
  GroupMaker(Suggester& suggester, Diagnostics& diagnostics, Graph& graph)
      : suggester_(suggester), diagnostics_(diagnostics), graph_(graph) {}

  void add_list(const GroupList& group_list) {
    const Value& list = *group_list.list;
    scope_ = group_list.scope;
    if (list.is_null()) {
      return;
    }
    if (!list.is_sequence()) {
      report(list, "'EntityGroups' must be a list of groups",
             "write '- {name: group, target: [entity]}'");
      return;
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      add_group(list.at(i));
    }
  }

  /// Fills the lists of members, in the order of the entities.
  void finish() {
    for (const GraphEntity& entity : graph_.entities) {
      graph_.groups[entity.group].members.push_back(entity.id);
    }
  }

 private:
  void add_group(const Value& item) {
    const Value* name = item.is_map() ? item.find("name") : nullptr;
    const Value* target = item.is_map() ? item.find("target") : nullptr;
    if (name == nullptr || !name->is_scalar() || target == nullptr || !target->is_sequence()) {
      report(item, "an entity group needs 'name' and a list 'target' of entities",
             "write '- {name: group, target: [entity]}'");
      return;
    }
    const auto index = static_cast<std::uint32_t>(graph_.groups.size());
    graph_.groups.push_back({std::string(name->text()), {}, {}});
    for (std::size_t i = 0; i < target->size(); ++i) {
      add_member(index, target->at(i));
    }
  }

  void add_member(std::uint32_t group, const Value& name) {
    const std::string& prefix = graph_.scopes[scope_].prefix;
    const std::string full_name = prefix + std::string(name.text());
    const auto known = graph_.entity_index.find(full_name);
    if (known == graph_.entity_index.end()) {
      const Graph& graph = graph_;
      // An interface runs nothing, so any group will do.
      if (graph.find_interface(full_name) == nullptr && !graph.has_lost_entity(name.text()) &&
          !graph.entity_made_twice) {
        report(name, "there is no entity " + in_quotes(full_name),
               suggester_.entity(name.text(), prefix));
      }
      return;
    }
    GraphEntity& entity = graph_.entities[known->second];
    if (entity.group == group) {
      report(name, "entity '" + entity.name + "' is listed twice in one group", "remove one");
    }
    entity.group = group;
  }

  void report(const Value& value, const std::string& text, const std::string& hint) {
    diagnostics_.add(DiagnosticCode::EntityGroup, value, text, hint);
  }

  Suggester& suggester_;
  Diagnostics& diagnostics_;
  Graph& graph_;
  ScopeId scope_ = 0;
};

}  // namespace

void make_entity_groups(const std::vector<GroupList>& lists, Suggester& suggester,
                        Diagnostics& diagnostics, Graph& graph) {
  graph.groups.push_back({std::string(kDefaultGroup), {}, {}});
  GroupMaker maker(suggester, diagnostics, graph);
  for (const GroupList& list : lists) {
    maker.add_list(list);
  }
  maker.finish();
}

void find_group_resources(const TypeCatalog& catalog, Graph& graph) {
  Roles roles(catalog);
  for (const GraphComponent& component : graph.components) {
    if (roles.has(component, Role::Resource)) {
      graph.groups[graph.entity_of(component).group].resources.push_back(component.id);
    }
  }
}

}  // namespace gxr

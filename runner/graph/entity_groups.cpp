#include "graph/entity_groups.hpp"

#include <algorithm>
#include <string>
#include <unordered_map>

namespace gxr {
namespace {

class GroupMaker {
 public:
  GroupMaker(Suggester& suggester, Diagnostics& diagnostics, Graph& graph)
      : suggester_(suggester), diagnostics_(diagnostics), graph_(graph) {}

  void add_list(const Value& list) {
    if (!list.is_sequence()) {
      report(list, "'EntityGroups' must be a list of groups",
             "write '- {name: group, target: [entity]}'");
      return;
    }
    for (std::size_t i = 0; i < list.size(); ++i) {
      add_group(list.at(i));
    }
  }

  /// Takes entities out of the groups that they have left.
  void finish() {
    for (std::size_t index = 0; index < graph_.groups.size(); ++index) {
      std::erase_if(graph_.groups[index].members,
                    [&](EntityId id) { return group_of_.at(id) != index; });
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
    const std::size_t index = graph_.groups.size();
    graph_.groups.push_back({std::string(name->text()), {}});
    for (std::size_t i = 0; i < target->size(); ++i) {
      add_member(index, target->at(i));
    }
  }

  void add_member(std::size_t group, const Value& name) {
    const GraphEntity* entity = graph_.find_entity(name.text());
    if (entity == nullptr) {
      report(name, "there is no entity '" + std::string(name.text()) + "'",
             suggester_.entity(name.text()));
      return;
    }
    const auto [entry, added] = group_of_.try_emplace(entity->id, group);
    if (!added && entry->second == group) {
      report(name, "entity '" + entity->name + "' is listed twice in one group", "remove one");
      return;
    }
    entry->second = group;
    graph_.groups[group].members.push_back(entity->id);
  }

  void report(const Value& value, const std::string& text, const std::string& hint) {
    diagnostics_.add(DiagnosticCode::EntityGroup, value, text, hint);
  }

  Suggester& suggester_;
  Diagnostics& diagnostics_;
  Graph& graph_;
  std::unordered_map<EntityId, std::size_t> group_of_;
};

}  // namespace

void make_entity_groups(const Document& document, Suggester& suggester, Diagnostics& diagnostics,
                        Graph& graph) {
  GroupMaker maker(suggester, diagnostics, graph);
  for (const DocumentPart& part : document.parts()) {
    const Value* list = part.root->find("EntityGroups");
    if (list != nullptr && !list->is_null()) {
      maker.add_list(*list);
    }
  }
  maker.finish();
}

}  // namespace gxr

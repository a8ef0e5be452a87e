#include "ranks/rank_part.hpp"

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/roles.hpp"
#include "graph/text.hpp"
#include "gxr/error.hpp"
#include "plan/named_entities.hpp"

namespace gxr {
namespace {

class PartMaker {
 public:
  PartMaker(const Graph& whole, const RankMap& map, Rank rank, Document& document,
            const TypeCatalog& catalog)
      : whole_(whole),
        map_(map),
        rank_(rank),
        document_(document),
        catalog_(catalog),
        entity_of_(whole.entities.size(), kNone),
        component_of_(whole.components.size(), kNone) {}

  RankPart make(const std::vector<RankChannel>& channels) {
    for (const GraphEntity& entity : whole_.entities) {
      if (runs_here(entity.id)) {
        copy(entity);
      }
    }
    part_.graph.scopes = whole_.scopes;
    copy_interfaces();
    renumber_handles();
    copy_links();
    copy_groups();
    for (std::size_t number = 0; number < channels.size(); ++number) {
      if (channels[number].from == rank_) {
        add_sender(channels[number], number);
      } else if (channels[number].to == rank_) {
        add_receiver(channels[number], number);
      }
    }
    return std::move(part_);
  }

 private:
  void copy(const GraphEntity& entity) {
    GraphEntity& made = part_.graph.add_entity(entity.name, entity.where);
    const EntityId id = made.id;
    made = entity;
    made.id = id;
    made.components.clear();
    entity_of_[entity.id] = id;
    for (const ComponentId component : entity.components) {
      if (leads_elsewhere(whole_.components[component]) ||
          is_for_others(whole_.components[component])) {
        continue;
      }
      GraphComponent& copied = part_.graph.add_component(id);
      const ComponentId number = copied.id;
      copied = whole_.components[component];
      copied.id = number;
      copied.entity = id;
      component_of_[component] = number;
    }
  }

  /// Is it a connection one of whose ends is on another rank?
  [[nodiscard]] bool leads_elsewhere(const GraphComponent& component) const {
    return catalog_.is_a(*component.type, "gxr::Connection") &&
           std::ranges::any_of(component.parameters, [this](const auto& assignment) {
             return std::ranges::any_of(assignment.handles, [this](const auto& handle) {
               return handle.target != kNone && !is_here(handle.target);
             });
           });
  }

  /// Does it name entities for a CUDA graph, as a GraphExecutor or a branch, that are on other
  /// ranks?
  [[nodiscard]] bool is_for_others(const GraphComponent& component) const {
    std::vector<BranchName> names;
    if (component.type->name == kGraphExecutor) {
      const ParameterAssignment* const list = component.find("entities");
      for (std::size_t i = 0; list != nullptr && i < list->value->size(); ++i) {
        names.push_back({list, &list->value->at(i), 0});
      }
    } else if (branch_of(component) != nullptr) {
      names = names_in(component);
    }
    return !names.empty() && std::ranges::none_of(names, [this](const BranchName& name) {
      return names_here(whole_.scopes[name.list->scope].prefix + std::string(name.name->text()));
    });
  }

  /// Is an entity of this name here, or one of the subgraph of this name?
  [[nodiscard]] bool names_here(const std::string& name) const {
    if (const GraphEntity* const entity = whole_.find_entity(name)) {
      return runs_here(entity->id);
    }
    return std::ranges::any_of(whole_.entities, [&](const GraphEntity& entity) {
      return entity.name.starts_with(name + ".") && map_.rank_of[entity.id] == rank_;
    });
  }

  [[nodiscard]] bool runs_here(EntityId entity) const {
    return map_.rank_of[entity] == rank_ || map_.rank_of[entity] == RankMap::kEach;
  }
  [[nodiscard]] bool is_here(ComponentId component) const {
    return runs_here(whole_.components[component].entity);
  }

  void renumber_handles() {
    for (GraphComponent& component : part_.graph.components) {
      for (ParameterAssignment& assignment : component.parameters) {
        leave_out_others(component, assignment);
        for (HandleReference& handle : assignment.handles) {
          handle.target = handle.target == kNone ? kNone : component_of_[handle.target];
        }
      }
    }
    for (GraphEntity& entity : part_.graph.entities) {
      if (entity.deadline) {
        renumber_ages(*entity.deadline);
      }
    }
  }

  /// Of a list of queues, as topics have it, the part has those that are here.
  void leave_out_others(const GraphComponent& component, ParameterAssignment& assignment) {
    const auto is_elsewhere = [this](const HandleReference& handle) {
      return handle.target != kNone && !is_here(handle.target);
    };
    if (std::erase_if(assignment.handles, is_elsewhere) == 0) {
      return;
    }
    std::string names;
    for (const HandleReference& handle : assignment.handles) {
      names += (names.empty() ? "" : ", ") + handle.value->to_yaml();
    }
    assignment.value =
        &document_.make_value("[" + names + "]", component.where.source, component.where);
    for (std::size_t i = 0; i < assignment.handles.size(); ++i) {
      assignment.handles[i].value = &assignment.value->at(i);
    }
  }

  void renumber_ages(DeadlineRule& deadline) const {
    for (DeadlineRule::Age& age : deadline.ages) {
      if (age.source != kNone && entity_of_[age.source] == kNone) {
        age.elsewhere = whole_.entities[age.source].name;
      }
      age.source = age.source == kNone ? kNone : entity_of_[age.source];
    }
  }

  void copy_interfaces() {
    for (const EntityInterface& whole : whole_.interfaces) {
      EntityInterface& copied = part_.graph.add_interface(whole.entity, whole.where);
      copied.complete = whole.complete;
      copied.rank = whole.rank;
      for (InterfaceName name : whole.names) {
        if (name.component != kNone && component_of_[name.component] != kNone) {
          name.component = component_of_[name.component];
          copied.names.push_back(std::move(name));
        }
      }
    }
  }

  void copy_links() {
    for (const Link& link : whole_.links) {
      Link copied = link;
      copied.transmitter = component_of_[link.transmitter];
      copied.receiver = component_of_[link.receiver];
      copied.connection = component_of_[link.connection];
      if (copied.transmitter != kNone && copied.receiver != kNone) {
        part_.graph.links.push_back(copied);
      }
    }
  }

  void copy_groups() {
    for (const EntityGroup& group : whole_.groups) {
      EntityGroup& copied = part_.graph.groups.emplace_back(EntityGroup{group.name, {}, {}});
      for (const EntityId member : group.members) {
        if (entity_of_[member] != kNone) {
          copied.members.push_back(entity_of_[member]);
        }
      }
      for (const ComponentId resource : group.resources) {
        if (component_of_[resource] != kNone) {
          copied.resources.push_back(component_of_[resource]);
        }
      }
    }
  }

  EntityId add_end(const RankChannel& channel, bool is_sender) {
    const GraphComponent& receiver = whole_.components[channel.receiver];
    GraphEntity& end =
        part_.graph.add_entity(rank_end_name(whole_, channel, is_sender), receiver.where);
    part_.graph.groups.front().members.push_back(end.id);
    part_.ends.push_back(end.id);
    return end.id;
  }

  ComponentId add(EntityId entity, const char* name, const char* type) {
    GraphComponent& component = part_.graph.add_component(entity);
    component.name = name;
    component.type = catalog_.find(type);
    if (component.type == nullptr) {
      throw Error(ErrorCode::NotFound, std::string("there is no type ") + type);
    }
    component.type_name = component.type->name;
    component.where = component.type_location = part_.graph.entities[entity].where;
    return component.id;
  }

  ParameterAssignment& set(ComponentId id, std::string_view key, const std::string& yaml) {
    GraphComponent& component = part_.graph.components[id];
    ParameterAssignment& assignment = component.parameters.emplace_back();
    assignment.key = key;
    assignment.key_location = component.where;
    assignment.value = &document_.make_value(yaml, component.where.source, component.where);
    const auto info = std::ranges::find(component.type->parameters, key, &ParameterInfo::key);
    assignment.info = info == component.type->parameters.end() ? nullptr : &*info;
    return assignment;
  }

  void set_handle(ComponentId id, std::string_view key, ComponentId target) {
    const std::string& name = part_.graph.components[target].name;
    ParameterAssignment& assignment = set(id, key, name.empty() ? "~" : name);
    assignment.handles.push_back({assignment.value, target});
  }

  void connect(EntityId entity, ComponentId transmitter, ComponentId receiver) {
    const ComponentId connection = add(entity, "", "gxr::Connection");
    set_handle(connection, "source", transmitter);
    set_handle(connection, "target", receiver);
    part_.graph.links.push_back({transmitter, receiver, connection, false, false});
  }

  void add_sender(const RankChannel& channel, std::size_t number) {
    const EntityId entity = add_end(channel, true);
    const ComponentId queue = add(entity, "in", "gxr::DoubleBufferReceiver");
    set(queue, "capacity", std::to_string(channel.credits));
    set(queue, "policy", std::to_string(static_cast<std::uint64_t>(channel.policy)));
    const ComponentId arrived = add(entity, "in_available", "gxr::MessageAvailableSchedulingTerm");
    set_handle(arrived, "receiver", queue);
    set(arrived, "min_size", "1");
    const ComponentId credit = add(entity, "credit", "gxr::ranks::CreditTerm");
    set(credit, "channel", std::to_string(number));
    set_handle(credit, "receiver", queue);
    const ComponentId sender = add(entity, "send", "gxr::ranks::Sender");
    set(sender, "channel", std::to_string(number));
    set_handle(sender, "in", queue);
    for (const ComponentId transmitter : channel.transmitters) {
      connect(entity, component_of_[transmitter], queue);
    }
  }

  void add_receiver(const RankChannel& channel, std::size_t number) {
    const EntityId entity = add_end(channel, false);
    const ComponentId queue = add(entity, "out", "gxr::DoubleBufferTransmitter");
    const ComponentId arrived = add(entity, "arrived", "gxr::ranks::ArrivalTerm");
    set(arrived, "channel", std::to_string(number));
    const ComponentId room = add(entity, "out_free", "gxr::DownstreamReceptiveSchedulingTerm");
    set_handle(room, "transmitter", queue);
    set(room, "min_size", "1");
    const ComponentId receiver = add(entity, "receive", "gxr::ranks::Receiver");
    set(receiver, "channel", std::to_string(number));
    set_handle(receiver, "out", queue);
    connect(entity, queue, component_of_[channel.receiver]);
  }

  const Graph& whole_;
  const RankMap& map_;
  const Rank rank_;
  Document& document_;
  const TypeCatalog& catalog_;
  RankPart part_;
  std::vector<EntityId> entity_of_;        // of the part, by entity of the whole
  std::vector<ComponentId> component_of_;  // likewise
};

}  // namespace

RankPart make_rank_part(const Graph& whole, const RankMap& map,
                        const std::vector<RankChannel>& channels, Rank rank, Document& document,
                        const TypeCatalog& catalog) {
  return PartMaker(whole, map, rank, document, catalog).make(channels);
}

std::string rank_end_name(const Graph& whole, const RankChannel& channel, bool is_sender) {
  const GraphComponent& receiver = whole.components[channel.receiver];
  // Numbers tell those apart whose names have points in different places.
  std::string name = is_sender ? "gxr.send." : "gxr.receive." + std::to_string(channel.from) + ".";
  name += std::to_string(receiver.id) + "." + whole.entity_of(receiver).name + "." + receiver.name;
  return name;
}

}  // namespace gxr

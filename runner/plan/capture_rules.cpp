#include "plan/capture_rules.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>

#include "graph/parameter_value.hpp"
#include "graph/text.hpp"
#include "gxr/device_choice.hpp"
#include "plan/polling_entities.hpp"
#include "plan/strong_components.hpp"

namespace gxr {
namespace {

/// Does the term limit the count of ticks?
bool counts(const GraphComponent& term) {
  return term.capability(Capability::Kind::LimitsTicks) != nullptr;
}

/// What it waits for at a queue, if that is so.
const Capability* waiting(const GraphComponent& term) {
  const Capability* const messages = term.capability(Capability::Kind::WaitsForMessages);
  return messages != nullptr ? messages : term.capability(Capability::Kind::WaitsForRoom);
}

/// "CountSchedulingTerm"
std::string short_name(const GraphComponent& component) {
  const std::string& name = component.type->name;
  const std::size_t end = name.rfind(':');
  return end == std::string::npos ? name : name.substr(end + 1);
}

/// Checks one entity and writes down the obstacles.
class EntityRules {
 public:
  EntityRules(const WorkGraph& work, EntityId entity, bool host_driven,
              std::vector<CaptureObstacle>& found)
      : work_(work),
        graph_(work.graph),
        id_(entity),
        entity_(work.at(entity)),
        host_driven_(host_driven),
        found_(found) {}

  void check() {
    check_codelets();
    for (const ComponentId term : entity_.terms) {
      check_term(graph_.components[term]);
    }
    for (const ComponentId receiver : entity_.receivers) {
      if (is_of_this_application(graph_.components[receiver])) {
        check_receiver(graph_.components[receiver]);
      }
    }
    for (const ComponentId transmitter : entity_.transmitters) {
      static_cast<void>(is_of_this_application(graph_.components[transmitter]));
    }
  }

 private:
  void add(DiagnosticCode code, const GraphComponent& component, std::string reason,
           std::string hint) {
    found_.push_back(
        {id_, code, component.where, where_length(component), std::move(reason), std::move(hint)});
  }
  void add(DiagnosticCode code, const ParameterAssignment& parameter, std::string reason,
           std::string hint) {
    found_.push_back({id_, code, parameter.value->location(), underline_length(*parameter.value),
                      std::move(reason), std::move(hint)});
  }
  /// At the parameter if it is written, else at the component.
  void add(DiagnosticCode code, const GraphComponent& component, std::string_view key,
           const std::string& reason, const std::string& hint) {
    if (const ParameterAssignment* parameter = component.find(key)) {
      add(code, *parameter, reason, hint);
    } else {
      add(code, component, reason, hint);
    }
  }

  void check_codelets() {
    if (entity_.codelets.empty()) {
      const GraphEntity& entity = graph_.entities[id_];
      found_.push_back({id_, DiagnosticCode::NotCapturable, entity.where,
                        entity.named ? length_of(entity.name) : 1, "it has no codelet",
                        "name an entity with a capturable operator, or leave it out"});
      return;
    }
    const GraphComponent& codelet = graph_.components[entity_.codelets.front()];
    if (entity_.codelets.size() > 1) {
      add(DiagnosticCode::RegionSeveralCodelets, graph_.components[entity_.codelets[1]],
          "it has " + std::to_string(entity_.codelets.size()) + " codelets",
          "give each codelet an entity of its own, and connect them");
      return;
    }
    if (entity_.kind == WorkEntity::Kind::Other) {
      add(DiagnosticCode::NotCapturable, codelet, not_capturable(codelet),
          "'gxr describe TYPE' says whether a type is capturable");
      return;
    }
    check_device(codelet);
    check_ports(codelet);
  }

  static std::string not_capturable(const GraphComponent& codelet) {
    if (const Capability* const passes = codelet.capability(Capability::Kind::PassesEachMessage)) {
      return "its codelet " + in_quotes(codelet.type->name) + " passes each message on only if " +
             in_quotes(passes->key(0)) + " is " + passes->value;
    }
    return "its codelet " + in_quotes(codelet.type->name) + " is not capturable";
  }

  void check_device(const GraphComponent& codelet) {
    const bool is_choice = std::ranges::any_of(codelet.type->parameters, [](const auto& info) {
      return info.key == "device" && info.type.kind == ParameterType::Kind::Enum;
    });
    if (is_choice && parameter_text(codelet, "device") == "cpu") {
      add(DiagnosticCode::RegionDeviceCpu, codelet, "device", "its parameter 'device' is cpu",
          "write device: auto or gpu, or leave the entity out of the graph");
    }
  }

  void check_ports(const GraphComponent& codelet) {
    for (const PortInfo& port : codelet.type->ports) {
      const ComponentId queue = codelet.handle(port.key);
      if (queue != kNone && work_.entity_of(queue) != id_) {
        add(DiagnosticCode::NotCapturable, codelet, port.key,
            "its port " + in_quotes(port.key) + " is in another entity",
            "move the receiver or transmitter into the operator's entity");
      }
    }
  }

  void check_term(const GraphComponent& term) {
    if (counts(term)) {
      if (entity_.kind == WorkEntity::Kind::Passage) {
        add(DiagnosticCode::RegionCount, term, "it counts messages that only pass it",
            "put the " + short_name(term) + " to the operator that receives them");
      }
    } else if (const Capability* const waits = waiting(term)) {
      check_min_size(term, *waits);
    } else if (!is_replaced_by_handler(term)) {
      add(DiagnosticCode::RegionTerm, term,
          "nothing in a graph can wait for its " + in_quotes(term.type->name),
          "leave the term out, or put an entity with it in front of the graph");
    }
  }

  /// A term that polls for what its operator polls for on the GPU: the graph polls in its place.
  [[nodiscard]] bool is_replaced_by_handler(const GraphComponent& term) const {
    return !entity_.handlers.empty() && term.capability(Capability::Kind::Polls) != nullptr;
  }

  void check_min_size(const GraphComponent& term, const Capability& waits) {
    if (const auto least = unsigned_parameter(term, waits.key(1)); least && *least != 1) {
      add(DiagnosticCode::RegionMinSize, term, waits.key(1),
          "it wants " + std::to_string(*least) + " messages at once",
          "an iteration takes one message of each input; write " + std::string(waits.key(1)) +
              ": 1");
    }
    if (const std::string_view leftover = waits.key(2); limits_leftover(term, waits)) {
      add(DiagnosticCode::RegionMinSize, term, leftover,
          "its term has " + in_quotes(leftover) + ", which a graph does not support",
          "an iteration takes one message of each input; " +
              (term.find(leftover) != nullptr
                   ? "leave " + std::string(leftover) + " out"
                   : "use another term, or a receiver that holds no more than its default"));
    }
  }

  /// Does it keep the entity from ticking when messages are left? A number is written, or the
  /// default is less than the receiver can hold. A receiver of unknown capacity is refused itself.
  [[nodiscard]] bool limits_leftover(const GraphComponent& term, const Capability& waits) const {
    const auto leftover = unsigned_parameter(term, waits.key(2));
    if (!leftover || term.find(waits.key(2)) != nullptr) {
      return leftover.has_value();
    }
    const ComponentId receiver = term.handle(waits.key(0));
    const auto capacity =
        receiver == kNone ? std::nullopt : capacity_of(graph_.components[receiver]);
    return capacity && *leftover < *capacity;
  }

  /// Adds what is in the way when it is not.
  bool is_of_this_application(const GraphComponent& queue) {
    const bool outside = queue.capability(Capability::Kind::RemoteQueue) != nullptr;
    if (outside) {
      add(DiagnosticCode::RegionOutside, queue,
          "the other end of its queue " + in_quotes(queue_name(queue)) + " is in another process",
          "put the queue into an entity of its own with a gxr::Forward, and connect that");
    }
    return !outside;
  }

  void check_receiver(const GraphComponent& receiver) {
    const auto is_way = [&](const Link& link) { return link.receiver == receiver.id; };
    const auto delayed = std::ranges::count_if(work_.delayed, is_way);
    const auto ways = delayed + std::ranges::count_if(entity_.incoming, is_way);
    if (ways == 0 && host_driven_) {
      return;  // the program writes it
    }
    if (ways == 0) {
      add(DiagnosticCode::RegionUnconnectedInput, receiver,
          "nothing is connected to its receiver " + in_quotes(queue_name(receiver)),
          "connect it, or leave the entity out of the graph");
    } else if (ways > 1 && (delayed > 0 || !feed_in_turn(receiver))) {
      add(DiagnosticCode::RegionSeveralTransmitters, receiver,
          std::to_string(ways) + " transmitters send to its receiver " +
              in_quotes(queue_name(receiver)),
          "give the operator a receiver for each of them, or merge them in front of the graph; "
          "only "
          "entities in different bodies of a branch may share a receiver");
    }
  }

  /// Does never more than one of those that send to it run in an iteration?
  [[nodiscard]] bool feed_in_turn(const GraphComponent& receiver) const {
    std::vector<EntityId> senders;
    for (const Link& link : entity_.incoming) {
      if (link.receiver == receiver.id) {
        senders.push_back(work_.entity_of(link.transmitter));
      }
    }
    for (std::size_t i = 0; i < senders.size(); ++i) {
      for (std::size_t k = i + 1; k < senders.size(); ++k) {
        if (!work_.branches.exclude_each_other(senders[i], senders[k])) {
          return false;
        }
      }
    }
    return true;
  }

  static std::string queue_name(const GraphComponent& queue) {
    return queue.name.empty() ? queue.type->name : queue.name;
  }

  const WorkGraph& work_;
  const Graph& graph_;
  EntityId id_;
  const WorkEntity& entity_;
  bool host_driven_;
  std::vector<CaptureObstacle>& found_;
};

/// Checks a region.
class RegionRules {
 public:
  RegionRules(const WorkGraph& work, const RegionOf& region_of, std::uint32_t region,
              const std::vector<EntityId>& members, GraphMode mode,
              std::vector<CaptureObstacle>& found)
      : work_(work),
        region_of_(region_of),
        region_(region),
        members_(members),
        mode_(mode),
        polls_(polling_entities(work, region_of, region, members)),
        found_(found) {}

  void check() {
    const std::size_t before = found_.size();
    check_cycles();
    if (found_.size() > before) {
      return;  // the rules that follow walk along the edges
    }
    for (const EntityId entity : members_) {
      check_queues(entity);
      check_count(entity);
      check_handlers(entity);
      if (polls_[entity]) {
        check_poll(entity);
      }
      if (work_.at(entity).kind == WorkEntity::Kind::Passage) {
        check_passage(entity);
      }
    }
  }

 private:
  [[nodiscard]] bool inside(ComponentId component) const {
    return region_of_[work_.entity_of(component)] == region_;
  }

  void check_cycles() {
    std::unordered_map<EntityId, std::uint32_t> node;
    for (const EntityId entity : members_) {
      node.emplace(entity, static_cast<std::uint32_t>(node.size()));
    }
    std::vector<std::vector<std::uint32_t>> successors(members_.size());
    std::vector<bool> own(members_.size());
    for (const EntityId entity : members_) {
      for (const Link& link : work_.at(entity).outgoing) {
        if (inside(link.receiver)) {
          const EntityId target = work_.entity_of(link.receiver);
          successors[node[entity]].push_back(node[target]);
          own[node[entity]] = own[node[entity]] || target == entity;
        }
      }
    }
    const StrongComponents parts = find_strong_components(successors);
    for (const EntityId entity : members_) {
      if (own[node[entity]] || parts.size[parts.of[node[entity]]] > 1) {
        add_cycle(entity);
      }
    }
  }

  void add_cycle(EntityId id) {
    const GraphEntity& entity = work_.graph.entities[id];
    found_.push_back({id, DiagnosticCode::RegionCycle, entity.where,
                      entity.named ? length_of(entity.name) : 1,
                      "it is on a cycle: an iteration would wait for its own result",
                      "write 'delayed: true' to the connection that delivers the value of the "
                      "previous iteration, or leave one entity of the cycle out of the graph"});
  }

  void check_queues(EntityId id) {
    for (const Link& link : work_.at(id).incoming) {
      if (!inside(link.transmitter)) {
        continue;  // a bridge, which keeps to the policy
      }
      const GraphComponent& receiver = work_.graph.components[link.receiver];
      const Capability* const plain = receiver.capability(Capability::Kind::PlainQueue);
      if (plain == nullptr || receiver.capability(Capability::Kind::JoinsTopic) != nullptr) {
        add(id, receiver, plain == nullptr ? nullptr : receiver.find(plain->key(0)),
            "its receiver is a " + in_quotes(receiver.type->name),
            "inside of a graph a gxr::DoubleBufferReceiver or gxr::cuda::DeviceReceiver is needed: "
            "nothing is lost or kept");
        continue;
      }
      const std::string_view key = plain->key(1);
      const std::uint64_t policy = unsigned_parameter(receiver, key).value_or(2);
      if (policy < 2) {
        add(id, receiver, receiver.find(key),
            std::string("its receiver ") + (policy == 0 ? "drops old" : "rejects new") +
                " messages when it is full",
            "inside of a graph no receiver is ever full; leave " + std::string(key) + " out");
      }
    }
  }

  void add(EntityId id, const GraphComponent& component, const ParameterAssignment* parameter,
           const std::string& reason, const std::string& hint) {
    const bool at_value = parameter != nullptr;
    found_.push_back({id, DiagnosticCode::RegionPolicy,
                      at_value ? parameter->value->location() : component.where,
                      at_value ? underline_length(*parameter->value) : where_length(component),
                      reason, hint});
  }

  void check_count(EntityId id) {
    const WorkEntity& entity = work_.at(id);
    const bool in_branch = !work_.branches.around(id).empty();
    const bool source = !is_fed_by_work(id) && !in_branch;
    for (const ComponentId term : entity.terms) {
      const GraphComponent& component = work_.graph.components[term];
      if (!source && counts(component)) {
        found_.push_back(
            {id, DiagnosticCode::RegionCount, component.where, where_length(component),
             in_branch ? "it counts its ticks in a branch"
                       : "it counts its ticks although others of the graph feed it",
             "put the " + short_name(component) + " to the first operator of the graph"});
      }
    }
  }

  /// Does it receive from an operator of the graph that does not poll for input?
  [[nodiscard]] bool is_fed_by_work(EntityId id) const {
    return std::ranges::any_of(work_.at(id).incoming, [&](const Link& link) {
      const EntityId before = work_.entity_of(link.transmitter);
      if (!inside(link.transmitter) || polls_[before]) {
        return false;
      }
      return work_.at(before).kind != WorkEntity::Kind::Passage || is_fed_by_work(before);
    });
  }

  /// Does what it sends come to an entity outside, by this way?
  [[nodiscard]] bool goes_out(const Link& link) const {
    if (!inside(link.receiver)) {
      return true;
    }
    const EntityId next = work_.entity_of(link.receiver);
    return work_.at(next).kind == WorkEntity::Kind::Passage &&
           std::ranges::any_of(work_.at(next).outgoing,
                               [&](const Link& further) { return goes_out(further); });
  }

  void add_handler(EntityId id, const GraphComponent& at, const std::string& reason,
                   const std::string& hint) {
    found_.push_back({id, DiagnosticCode::RegionHandler, at.where, where_length(at), reason, hint});
  }

  void check_handlers(EntityId id) {
    const std::vector<ComponentId>& handlers = work_.at(id).handlers;
    if (handlers.empty()) {
      return;
    }
    const GraphComponent& handler = work_.graph.components[handlers.front()];
    if (handlers.size() > 1) {
      add_handler(id, work_.graph.components[handlers[1]],
                  "it has " + std::to_string(handlers.size()) + " data-ready handlers",
                  "give each an entity with an operator of its own");
    } else if (work_.at(id).kind != WorkEntity::Kind::Operator) {
      add_handler(id, handler, "it has a data-ready handler, but only passes messages on",
                  "put the handler beside the operator that polls for input");
    } else if (mode_ == GraphMode::Graph) {
      add_handler(id, handler, "it polls for input, as only a loop on the GPU does",
                  "write mode: resident, or leave the entity out of the graph");
    } else {
      check_source(id, handler);
    }
  }

  void check_source(EntityId id, const GraphComponent& handler) {
    const ComponentId source =
        handler.handle(handler.capability(Capability::Kind::LooksForInput)->key(0));
    if (source == kNone) {
      return;  // reported when parameters were checked
    }
    const std::string name = in_quotes(work_.graph.full_name(work_.graph.components[source]));
    if (!inside(source)) {
      add_handler(id, handler, "it polls for input of " + name + ", which is not in the graph",
                  "name the entity of " + name + " under 'entities', too");
    } else if (work_.at(work_.entity_of(source)).kind != WorkEntity::Kind::Operator) {
      add_handler(id, handler, "it polls for input of " + name + ", which only passes messages on",
                  "name an operator that works on the input");
    } else if (polls_[work_.entity_of(source)]) {
      add_handler(id, handler, "it polls for input of " + name + ", which polls for input itself",
                  "name an operator that works on the input");
    }
  }

  /// No input of a poll may come from elsewhere, and no entity elsewhere gets its result.
  void check_poll(EntityId id) {
    const WorkEntity& entity = work_.at(id);
    if (!work_.branches.around(id).empty()) {
      add_handler(id, work_.graph.components[entity.codelets.front()],
                  "it polls for input, and stands in a branch",
                  "decide on what was found, behind the operators that poll");
    }
    for (const Link& link : entity.incoming) {
      if (!inside(link.transmitter)) {
        add_handler(id, work_.graph.components[link.receiver],
                    "it polls for input, but receives messages from outside of the graph",
                    "connect them to the operator that works on the input");
      }
    }
    for (const Link& link : work_.delayed) {
      if (work_.entity_of(link.receiver) == id) {
        add_handler(id, work_.graph.components[link.receiver],
                    "it polls for input, and reads what was written in an iteration before",
                    "connect that to the operator that works on the input");
      }
    }
    for (const Link& link : entity.outgoing) {
      if (entity.kind == WorkEntity::Kind::Operator && goes_out(link)) {
        add_handler(id, work_.graph.components[link.transmitter],
                    "it polls for input, but sends messages out of the graph",
                    "let an operator behind it send them");
      }
    }
    for (const ComponentId term : entity.terms) {
      const GraphComponent& component = work_.graph.components[term];
      if (counts(component)) {
        add_handler(
            id, component, "it polls for input, and the term would count each time that it polls",
            "put the " + short_name(component) + " to the operator that works on the input");
      }
    }
  }

  /// Edges take its place, so one of its ends has to be an operator of the region.
  void check_passage(EntityId id) {
    const bool leaves = std::ranges::any_of(
        work_.at(id).outgoing, [&](const Link& link) { return !inside(link.receiver); });
    if (leaves && comes_from_outside(id)) {
      const GraphComponent& codelet = work_.graph.components[work_.at(id).codelets.front()];
      found_.push_back({id, DiagnosticCode::NotCapturable, codelet.where, where_length(codelet),
                        "it passes messages from outside of the graph to entities outside of it",
                        "leave the entity out of the graph"});
    }
  }

  [[nodiscard]] bool comes_from_outside(EntityId id) const {
    const std::vector<Link>& incoming = work_.at(id).incoming;
    if (incoming.empty() || !inside(incoming.front().transmitter)) {
      return true;
    }
    const EntityId before = work_.entity_of(incoming.front().transmitter);
    return work_.at(before).kind == WorkEntity::Kind::Passage && comes_from_outside(before);
  }

  const WorkGraph& work_;
  const RegionOf& region_of_;
  std::uint32_t region_;
  const std::vector<EntityId>& members_;
  GraphMode mode_;
  std::vector<bool> polls_;  // by entity
  std::vector<CaptureObstacle>& found_;
};

}  // namespace

void find_obstacles(const WorkGraph& work, EntityId entity, bool host_driven,
                    std::vector<CaptureObstacle>& found) {
  EntityRules(work, entity, host_driven, found).check();
}

void find_obstacles_inside(const WorkGraph& work, const RegionOf& region_of, std::uint32_t region,
                           const std::vector<EntityId>& members, GraphMode mode,
                           std::vector<CaptureObstacle>& found) {
  RegionRules(work, region_of, region, members, mode, found).check();
}

}  // namespace gxr

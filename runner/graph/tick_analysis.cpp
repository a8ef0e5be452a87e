#include "graph/tick_analysis.hpp"

#include "graph/missing_topic.hpp"
#include "graph/parameter_value.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

std::string messages(std::uint64_t count) {
  return std::to_string(count) + (count == 1 ? " message" : " messages");
}

/// In the form in which its document is written.
std::string hint_for_receiver(const GraphComponent& receiver) {
  return receiver.written == 0
             ? "add a connection whose 'target' it is"
             : "write 'inputs: {" + receiver.name + ": ENTITY}' with the entity that sends";
}

std::string hint_for_transmitter(const Graph& graph, const GraphComponent& transmitter) {
  const GraphEntity& entity = graph.entity_of(transmitter);
  if (transmitter.written == 0 || !entity.named) {
    return "add a connection whose 'source' it is, or remove the term";
  }
  const std::size_t prefix = graph.scopes[entity.scope].prefix.size();
  return "name " + in_quotes(entity.name.substr(prefix) + "/" + transmitter.name) +
         " in the 'inputs' of the entity that reads it";
}

}  // namespace

TickAnalysis::TickAnalysis(const Graph& graph, const TypeCatalog& catalog)
    : graph_(graph), roles_(catalog), flow_(graph, catalog) {
  for (const GraphComponent& component : graph.components) {
    const bool term = roles_.has(component, Role::SchedulingTerm);
    if (term && flow_.has_codelets(component.entity) && !flow_.is_opaque(component.entity)) {
      look_at(component);
    }
  }
  for (std::uint32_t index = 0; index < waits_.size(); ++index) {
    for (const EntityId source : waits_[index].sources) {
      waits_on_[source].push_back(index);
    }
  }
}

const std::vector<std::uint32_t>& TickAnalysis::waits_on(EntityId source) const {
  static const std::vector<std::uint32_t> none;
  const auto entry = waits_on_.find(source);
  return entry == waits_on_.end() ? none : entry->second;
}

void TickAnalysis::look_at(const GraphComponent& term) {
  using Can = Capability::Kind;
  for (const Capability& capability : term.type->capabilities) {
    if (capability.kind == Can::WaitsForMessages) {
      look_at_messages(term, capability);
    } else if (capability.kind == Can::WaitsForRoom) {
      look_at_room(term, capability);
    } else if (capability.kind == Can::LimitsTicks) {
      look_at_limit(term, capability.key(0));
    } else if (capability.kind == Can::SwitchesTicks) {
      look_at_switch(term, capability.key(0));
    }
  }
}

void TickAnalysis::look_at_limit(const GraphComponent& term, std::string_view key) {
  if (integer_parameter(term, key) == 0) {
    add_obstacle(term, key, "its count is 0", "give the number of ticks, or remove the term");
  }
}

void TickAnalysis::look_at_switch(const GraphComponent& term, std::string_view key) {
  if (bool_parameter(term, key) == false && !flow_.is_held(term.id)) {
    add_obstacle(
        term, key, "its term is switched off, and no component has a handle to switch it on",
        "set " + std::string(key) + ": true, or give its handle to the component that decides");
  }
}

/// "raise 'capacity' of the receiver, or lower 'min_size'"
std::string TickAnalysis::advice(const GraphComponent& queue, const char* which,
                                 const Capability& waits) {
  return "raise " + in_quotes(queue.capability(Capability::Kind::PlainQueue)->key(0)) + " of " +
         which + " receiver, or lower " + in_quotes(waits.key(1));
}

void TickAnalysis::look_at_messages(const GraphComponent& term, const Capability& waits) {
  const std::optional<std::uint64_t> needed = unsigned_parameter(term, waits.key(1));
  const ComponentId id = term.handle(waits.key(0));
  if (!needed || *needed == 0 || id == kNone) {
    return;
  }
  const GraphComponent& receiver = graph_.components[id];
  if (receiver.capability(Capability::Kind::PlainQueue) == nullptr || flow_.is_open(id)) {
    return;  // other queues may get messages by their own means
  }
  const std::optional<std::uint64_t> capacity = capacity_of(receiver);
  // Until its entity ticks, all messages wait on the back stage. Another entity may move them on.
  // Capacity 0 is out of range and was reported.
  const std::uint64_t stages = receiver.entity == term.entity ? 1 : 2;
  if (capacity && *capacity > 0 && *needed / stages > *capacity) {
    add_obstacle(term, waits.key(1),
                 "it waits for " + messages(*needed) + " on " + called(graph_, receiver) +
                     ", which can hold " + std::to_string(*capacity),
                 advice(receiver, "the", waits));
    return;
  }
  add_wait(term, waits.key(0), receiver);
}

void TickAnalysis::add_wait(const GraphComponent& term, std::string_view key,
                            const GraphComponent& receiver) {
  MessageWait wait{term.entity, term.id, receiver.id, flow_.sources(receiver.id)};
  if (!wait.sources.empty()) {
    waits_.push_back(std::move(wait));
    return;
  }
  const bool connected = flow_.is_connected(receiver.id);
  const std::string topic = connected ? "" : missing_topic(receiver, roles_);
  if (!topic.empty()) {
    add_obstacle(term, key,
                 "it waits for a message on " + called(graph_, receiver) + ", but " + topic,
                 missing_topic_hint(receiver));
    return;
  }
  add_obstacle(
      term, key,
      "it waits for a message on " + called(graph_, receiver) + ", but " +
          (connected ? "no entity that sends there has a codelet" : "no connection leads there"),
      connected ? "add the codelet that sends" : hint_for_receiver(receiver));
}

void TickAnalysis::look_at_room(const GraphComponent& term, const Capability& waits) {
  const std::optional<std::uint64_t> needed = unsigned_parameter(term, waits.key(1));
  const ComponentId id = term.handle(waits.key(0));
  if (!needed || id == kNone || flow_.is_open(id) ||
      graph_.components[id].capability(Capability::Kind::PlainQueue) == nullptr) {
    return;
  }
  const std::vector<ComponentId> targets = flow_.targets(id);
  if (const std::string topic = missing_topic(graph_.components[id], roles_);
      targets.empty() && !topic.empty()) {
    add_obstacle(
        term, waits.key(0),
        "it waits for room behind " + called(graph_, graph_.components[id]) + ", but " + topic,
        missing_topic_hint(graph_.components[id]));
    return;
  }
  if (targets.empty()) {
    add_obstacle(term, waits.key(0),
                 "it waits for room behind " + called(graph_, graph_.components[id]) +
                     ", but no connection leads from there",
                 hint_for_transmitter(graph_, graph_.components[id]));
    return;
  }
  for (const ComponentId target : targets) {
    const GraphComponent& receiver = graph_.components[target];
    const std::optional<std::uint64_t> capacity =
        flow_.is_open(target) ? std::nullopt : capacity_of(receiver);
    if (capacity && *capacity > 0 && *needed > *capacity) {
      add_obstacle(term, waits.key(1),
                   "it waits for room for " + messages(*needed) + " in " +
                       called(graph_, receiver) + ", which can hold " + std::to_string(*capacity),
                   advice(receiver, "that", waits));
      return;
    }
  }
}

void TickAnalysis::add_obstacle(const GraphComponent& term, std::string_view key, std::string text,
                                std::string hint) {
  obstacles_.try_emplace(term.entity, TickObstacle{term.id, key, std::move(text), std::move(hint)});
}

}  // namespace gxr

#include "graph/message_flow.hpp"

#include <algorithm>
#include <span>
#include <string>

#include "graph/parameter_value.hpp"

namespace gxr {
namespace {

using Pair = std::pair<std::uint32_t, std::uint32_t>;

/// The pairs with that key, of pairs sorted by it.
std::span<const Pair> with_key(const std::vector<Pair>& pairs, std::uint32_t key) {
  const auto first = std::ranges::lower_bound(pairs, key, {}, &Pair::first);
  const auto last = std::ranges::upper_bound(first, pairs.end(), key, {}, &Pair::first);
  return {first, last};
}

}  // namespace

MessageFlow::MessageFlow(const Graph& graph, const TypeCatalog& catalog)
    : graph_(graph),
      roles_(catalog),
      entities_(graph.entities.size()),
      components_(graph.components.size()) {
  add_links();
  for (const GraphEntity& entity : graph.entities) {
    if (entity.flawed) {
      entities_[entity.id] |= kOpaque | kCodelets;
      open_all(entity);
    }
  }
  for (const GraphComponent& component : graph.components) {
    look_at(component);
  }
  std::ranges::sort(borrowed_);
  open_loose_names();
  lose_ends_of_loops();
  open_lost_ends();
}

void MessageFlow::add_links() {
  for (const Link& link : graph_.links) {
    if (!link.duplicate) {
      incoming_.emplace_back(link.receiver, link.transmitter);
      outgoing_.emplace_back(link.transmitter, link.receiver);
      components_[link.receiver] |= kConnected;
      components_[link.transmitter] |= kConnected;
      if (link.delayed) {
        components_[link.receiver] |= kOpen;  // nobody waits for what was sent before
      }
    }
  }
  std::ranges::sort(incoming_);
  std::ranges::sort(outgoing_);
}

void MessageFlow::look_at(const GraphComponent& component) {
  if (component.type == nullptr) {
    entities_[component.entity] |= kOpaque | kCodelets;  // it may well be a codelet
    for (const ParameterAssignment& assignment : component.parameters) {
      open_mentions(component, *assignment.value);
    }
    return;
  }
  if (roles_.has(component, Role::Codelet)) {
    entities_[component.entity] |= kCodelets;
  }
  if (roles_.has(component, Role::TermCombiner)) {
    entities_[component.entity] |= kOpaque;
  }
  if (roles_.has(component, Role::Connection)) {
    open_broken_connection(component);
    return;
  }
  if (roles_.has(component, Role::Topic)) {
    open_broken_topic(component);
    return;
  }
  if (component.type->name == kGraphExecutor &&
      bool_parameter(component, "host_driven").value_or(false)) {
    open_driven_by_program(component);
  }
  for (const ParameterAssignment& assignment : component.parameters) {
    for (const HandleReference& handle : assignment.handles) {
      if (handle.target != kNone) {
        look_at_handle(component, handle.target);
      }
    }
  }
}

void MessageFlow::look_at_handle(const GraphComponent& holder, ComponentId target) {
  components_[target] |= kHeld;
  if (roles_.has(holder, Role::SchedulingTerm)) {
    components_[target] |= kWaitedFor;
    return;
  }
  const GraphComponent& held = graph_.components[target];
  const bool transmitter = roles_.has(held, Role::Transmitter);
  if (!transmitter && !roles_.has(held, Role::Receiver)) {
    return;
  }
  const bool by_codelet = roles_.has(holder, Role::Codelet);
  if (by_codelet && holder.entity == held.entity) {
    return;
  }
  if (by_codelet && transmitter) {
    borrowed_.emplace_back(target, holder.entity);
  } else {
    components_[target] |= kOpen;
  }
}

void MessageFlow::open_broken_connection(const GraphComponent& connection) {
  const ComponentId source = connection.handle("source");
  const ComponentId target = connection.handle("target");
  if (source != kNone && target != kNone && !connection.flawed) {
    return;
  }
  for (const ComponentId end : {source, target}) {
    if (end != kNone) {
      components_[end] |= kOpen;
    }
  }
  lost_transmitter_ = lost_transmitter_ || source == kNone || connection.flawed;
  lost_receiver_ = lost_receiver_ || target == kNone || connection.flawed;
  open_end(connection, "source");
  open_end(connection, "target");
  for (const ParameterAssignment& assignment : connection.parameters) {
    open_mentions(connection, *assignment.value);
  }
}

/// Opens the queues of the entity that the text of a connection's end names.
void MessageFlow::open_end(const GraphComponent& connection, std::string_view key) {
  const ParameterAssignment* assignment = connection.find(key);
  if (assignment == nullptr || !assignment->value->is_scalar()) {
    return;
  }
  const std::string name(assignment->value->text().substr(0, assignment->value->text().find('/')));
  const GraphEntity* entity = graph_.find_entity(graph_.scopes[assignment->scope].prefix + name);
  entity = entity == nullptr ? graph_.find_entity(name) : entity;
  if (entity != nullptr) {
    open_all(*entity);
  }
}

/// One wrong name in a topic leaves open who else belongs to it.
void MessageFlow::open_broken_topic(const GraphComponent& topic) {
  for (const ParameterAssignment& assignment : topic.parameters) {
    const bool transmitters = assignment.key == "transmitters";
    if (!transmitters && assignment.key != "receivers") {
      continue;
    }
    const bool broken =
        !assignment.value->is_sequence() || assignment.handles.size() < assignment.value->size();
    if (!broken && !topic.flawed) {
      continue;
    }
    for (const HandleReference& handle : assignment.handles) {
      if (handle.target != kNone) {
        components_[handle.target] |= kOpen;
      }
    }
    if (broken) {
      open_mentions(topic, *assignment.value);
      (transmitters ? lost_transmitter_ : lost_receiver_) = true;
    }
  }
}

/// A program writes and reads the tensors of a CUDA graph that it drives.
void MessageFlow::open_driven_by_program(const GraphComponent& executor) {
  const ParameterAssignment* const given = executor.find("entities");
  for (std::size_t i = 0; given != nullptr && i < given->value->size(); ++i) {
    const std::string name =
        graph_.scopes[given->scope].prefix + std::string(given->value->at(i).text());
    for (const GraphEntity& entity : graph_.entities) {
      if (entity.name == name || entity.name.starts_with(name + ".")) {
        open_all(entity);
      }
    }
  }
}

void MessageFlow::open_all(const GraphEntity& entity) {
  for (const ComponentId id : entity.components) {
    components_[id] |= kOpen;
  }
}

/// An entity that waits for nothing but what it sends itself was to be connected to another one.
void MessageFlow::lose_ends_of_loops() {
  for (const Link& link : graph_.links) {
    const GraphComponent& receiver = graph_.components[link.receiver];
    if (!link.duplicate && !link.delayed && is_waited_for(receiver.id) &&
        graph_.components[link.transmitter].entity == receiver.entity &&
        with_key(incoming_, receiver.id).size() == 1) {
      lost_transmitter_ = true;
      lost_receiver_ = true;
    }
  }
}

/// Queues without a connection may be those that a connection would join whose end is not known.
void MessageFlow::open_lost_ends() {
  const bool gaps = graph_.has_gaps();
  if (!gaps && !lost_transmitter_ && !lost_receiver_) {
    return;
  }
  for (const GraphComponent& component : graph_.components) {
    const bool lost = ((gaps || lost_transmitter_) && roles_.has(component, Role::Transmitter)) ||
                      ((gaps || lost_receiver_) && roles_.has(component, Role::Receiver));
    if (lost && !is_connected(component.id)) {
      components_[component.id] |= kOpen;
    }
  }
}

void MessageFlow::open_mentions(const GraphComponent& component, const Value& value) {
  if (value.is_scalar()) {
    open_mention(component, value.text());
    return;
  }
  for (std::size_t i = 0; i < value.size(); ++i) {
    open_mentions(component, value.is_map() ? value.value(i) : value.at(i));
  }
}

/// A queue that a broken text may have meant: of that name, or in that entity.
void MessageFlow::open_mention(const GraphComponent& component, std::string_view text) {
  const std::size_t slash = text.find('/');
  const bool own = slash == std::string_view::npos;
  const GraphEntity* entity =
      own ? &graph_.entity_of(component) : graph_.find_entity(text.substr(0, slash));
  const std::string_view name = own ? text : text.substr(slash + 1);
  bool found = false;
  for (const ComponentId id : entity == nullptr ? std::vector<ComponentId>{} : entity->components) {
    if (graph_.components[id].name == name) {
      components_[id] |= kOpen;
      found = true;
    }
  }
  if (found || own) {
    return;
  }
  loose_names_.insert(name);
  for (const ComponentId id : entity == nullptr ? std::vector<ComponentId>{} : entity->components) {
    components_[id] |= kOpen;
  }
}

void MessageFlow::open_loose_names() {
  if (loose_names_.empty()) {
    return;
  }
  for (const GraphComponent& component : graph_.components) {
    if (loose_names_.contains(component.name)) {
      components_[component.id] |= kOpen;
    }
  }
}

std::vector<EntityId> MessageFlow::sources(ComponentId receiver) const {
  std::vector<EntityId> entities;
  for (const auto& [unused, transmitter] : with_key(incoming_, receiver)) {
    const EntityId owner = graph_.components[transmitter].entity;
    if (has_codelets(owner)) {
      entities.push_back(owner);
    }
    for (const auto& [same, borrower] : with_key(borrowed_, transmitter)) {
      entities.push_back(borrower);
    }
  }
  std::ranges::sort(entities);
  entities.erase(std::unique(entities.begin(), entities.end()), entities.end());
  return entities;
}

std::vector<ComponentId> MessageFlow::targets(ComponentId transmitter) const {
  std::vector<ComponentId> receivers;
  for (const auto& [unused, receiver] : with_key(outgoing_, transmitter)) {
    receivers.push_back(receiver);
  }
  return receivers;
}

}  // namespace gxr

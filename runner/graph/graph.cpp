#include "graph/graph.hpp"

#include <algorithm>

namespace gxr {

const ParameterAssignment* GraphComponent::find(std::string_view key) const noexcept {
  const auto found = std::ranges::find(parameters, key, &ParameterAssignment::key);
  return found == parameters.end() ? nullptr : &*found;
}

ComponentId GraphComponent::handle(std::string_view key) const noexcept {
  const ParameterAssignment* assignment = find(key);
  return assignment == nullptr || assignment->handles.empty() ? kNone
                                                              : assignment->handles.front().target;
}

Graph Graph::copy() const {
  Graph other;
  other.entities = entities;
  other.components = components;
  other.links = links;
  other.groups = groups;
  other.scopes = scopes;
  other.interfaces = interfaces;
  other.lost_entities = lost_entities;
  other.lost_nameless = lost_nameless;
  other.lost_unnamed = lost_unnamed;
  other.entity_made_twice = entity_made_twice;
  other.lost_components = lost_components;
  other.short_documents = short_documents;
  other.rank_of_host = rank_of_host;
  other.makes_scheduler = makes_scheduler;
  for (const GraphEntity& entity : other.entities) {
    other.entity_index.emplace(entity.name, entity.id);
  }
  for (std::uint32_t i = 0; i < other.interfaces.size(); ++i) {
    other.interface_index_.emplace(other.interfaces[i].entity, i);
  }
  return other;
}

GraphEntity& Graph::add_entity(std::string name, Location where) {
  const auto id = static_cast<EntityId>(entities.size());
  const bool named = !name.empty();
  if (!named) {
    name = "__entity_" + std::to_string(id);
  }
  GraphEntity& entity = entities.emplace_back();
  entity.id = id;
  entity.name = std::move(name);
  entity.named = named;
  entity.where = where;
  entity_index.emplace(entity.name, id);
  return entity;
}

bool Graph::has_lost_entity(std::string_view name) const {
  const std::size_t prefix = name.rfind('.');
  return lost_nameless || lost_entities.contains(name) ||
         (prefix != std::string_view::npos && lost_entities.contains(name.substr(prefix + 1)));
}

bool Graph::has_lost_component(const GraphEntity& entity, std::string_view name) const {
  const auto lost = lost_components.find(entity.id);
  return lost != lost_components.end() &&
         (lost->second.nameless || lost->second.names.contains(name));
}

bool Graph::has_gaps() const noexcept {
  return lost_nameless || lost_unnamed || entity_made_twice || !lost_entities.empty() ||
         !lost_components.empty();
}

const InterfaceName* EntityInterface::find(std::string_view name) const noexcept {
  const auto found = std::ranges::find(names, name, &InterfaceName::name);
  return found == names.end() ? nullptr : &*found;
}

const EntityInterface* Graph::find_interface(std::string_view entity) const {
  const auto found = interface_index_.find(entity);
  return found == interface_index_.end() ? nullptr : &interfaces[found->second];
}

EntityInterface* Graph::find_interface(std::string_view entity) {
  const auto found = interface_index_.find(entity);
  return found == interface_index_.end() ? nullptr : &interfaces[found->second];
}

EntityInterface& Graph::add_interface(const std::string& entity, Location where) {
  if (EntityInterface* known = find_interface(entity)) {
    return *known;
  }
  EntityInterface& added = interfaces.emplace_back(EntityInterface{entity, where, {}, true});
  interface_index_.emplace(added.entity, static_cast<std::uint32_t>(interfaces.size() - 1));
  return added;
}

GraphComponent& Graph::add_component(EntityId entity) {
  GraphComponent& component = components.emplace_back();
  component.id = static_cast<ComponentId>(components.size() - 1);
  component.entity = entity;
  entities[entity].components.push_back(component.id);
  return component;
}

const GraphEntity* Graph::find_entity(std::string_view name) const {
  const auto found = entity_index.find(name);
  return found == entity_index.end() ? nullptr : &entities[found->second];
}

std::string Graph::full_name(const GraphComponent& component) const {
  std::string text = entity_of(component).name;
  text += '/';
  return text.append(component.name.empty() ? component.type_name : component.name);
}

}  // namespace gxr

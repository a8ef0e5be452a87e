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

GraphEntity& Graph::add_entity(std::string name, Location where) {
  const auto id = static_cast<EntityId>(entities.size());
  const bool named = !name.empty();
  if (!named) {
    name = "__entity_" + std::to_string(id);
  }
  GraphEntity& entity = entities.emplace_back(GraphEntity{id, std::move(name), named, where, {}});
  entity_index.emplace(entity.name, id);
  return entity;
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

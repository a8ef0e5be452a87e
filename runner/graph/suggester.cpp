#include "graph/suggester.hpp"

namespace gxr {

std::string Suggester::among(std::string_view word,
                             const std::vector<std::string_view>& candidates) {
  if (comparisons_left_ < candidates.size()) {
    return {};
  }
  comparisons_left_ -= candidates.size();
  return suggestion(word, candidates);
}

std::string Suggester::entity(std::string_view word) {
  if (entity_names_.empty()) {
    for (const GraphEntity& entity : graph_.entities) {
      if (entity.named) {
        entity_names_.emplace_back(entity.name);
      }
    }
    for (const EntityInterface& interface : graph_.interfaces) {
      entity_names_.emplace_back(interface.entity);
    }
  }
  return among(word, entity_names_);
}

std::string Suggester::entity(std::string_view word, std::string_view prefix) {
  if (prefix.empty()) {
    return entity(word);
  }
  std::vector<std::string_view> names;
  for (const GraphEntity& entity : graph_.entities) {
    if (entity.named && std::string_view(entity.name).starts_with(prefix)) {
      names.push_back(std::string_view(entity.name).substr(prefix.size()));
    }
  }
  for (const EntityInterface& interface : graph_.interfaces) {
    if (std::string_view(interface.entity).starts_with(prefix)) {
      names.push_back(std::string_view(interface.entity).substr(prefix.size()));
    }
  }
  return among(word, names);
}

std::string Suggester::interface(std::string_view word, const EntityInterface& interface) {
  std::vector<std::string_view> names;
  for (const InterfaceName& name : interface.names) {
    names.emplace_back(name.name);
  }
  const std::string hint = among(word, names);
  return hint.empty() ? has(names) : hint;
}

std::string Suggester::component(std::string_view word, const GraphEntity& entity) {
  const auto [entry, added] = component_names_.try_emplace(entity.id);
  std::vector<std::string_view>& names = entry->second;
  if (added) {
    for (const ComponentId id : entity.components) {
      if (!graph_.components[id].name.empty()) {
        names.emplace_back(graph_.components[id].name);
      }
    }
  }
  const std::string hint = among(word, names);
  return hint.empty() ? has(names) : hint;
}

std::string Suggester::parameter(std::string_view word, const TypeInfo& type) {
  std::vector<std::string_view> keys;
  for (const ParameterInfo& parameter : type.parameters) {
    keys.emplace_back(parameter.key);
  }
  return among(word, keys);
}

std::string Suggester::type(std::string_view word) {
  const auto known = types_.find(word);
  if (known != types_.end()) {
    return known->second;
  }
  if (type_names_.empty()) {
    type_names_ = catalog_.names();
  }
  return types_.emplace(word, among(word, type_names_)).first->second;
}

std::string Suggester::elsewhere(std::string_view name, const std::string& type) {
  if (comparisons_left_ < graph_.components.size() / 8) {
    return {};
  }
  comparisons_left_ -= graph_.components.size() / 8;  // comparing for equality is cheap
  std::string places;
  int count = 0;
  for (const GraphComponent& component : graph_.components) {
    if (component.name == name && component.type != nullptr && graph_.entity_of(component).named &&
        catalog_.is_a(*component.type, type) && ++count <= 3) {
      places += (places.empty() ? "'" : " or '") + graph_.full_name(component) + "'";
    }
  }
  return places.empty() ? places : "did you mean " + places + "?";
}

const std::string& Suggester::derived_types(std::string_view base) {
  const auto [entry, added] = derived_types_.try_emplace(std::string(base));
  std::string& names = entry->second;
  if (!added) {
    return names;
  }
  int count = 0;
  for (const TypeInfo* type : catalog_.types()) {
    if (!type->abstract && type->component && catalog_.is_a(*type, base) && ++count <= 4) {
      names += (names.empty() ? "" : ", ") + type->name;
    }
  }
  names += count > 4 ? ", ..." : "";
  return names;
}

std::string Suggester::has(const std::vector<std::string_view>& names) {
  std::string text;
  for (std::size_t i = 0; i < names.size() && i < 5; ++i) {
    text.append(text.empty() ? "it has: '" : ", '").append(names[i]).append("'");
  }
  return names.size() > 5 ? text + ", ..." : text;
}

}  // namespace gxr

#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "graph/graph.hpp"
#include "graph/text.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// A name as messages show it.
inline std::string in_quotes(std::string_view text) {
  return std::string(1, '\'').append(text).append(1, '\'');
}

/// "a, b and c"
inline std::string list_of(const std::vector<std::string>& parts) {
  std::string text;
  for (std::size_t i = 0; i < parts.size(); ++i) {
    text += (i == 0 ? "" : i + 1 == parts.size() ? " and " : ", ") + parts[i];
  }
  return text;
}

/// Characters that a caret underlines.
inline std::uint32_t length_of(std::string_view text) {
  return static_cast<std::uint32_t>(text.size());
}

/// How messages call a component: "'entity/component'"; without the entity when nobody named that.
inline std::string called(const Graph& graph, const GraphComponent& component) {
  if (graph.entity_of(component).named) {
    return in_quotes(graph.full_name(component));
  }
  return in_quotes(component.name.empty() ? component.type_name : std::string_view(component.name));
}

inline std::string called(const GraphEntity& entity) {
  return entity.named ? "entity " + in_quotes(entity.name) : "this entity";
}

/// Characters to underline at GraphComponent::where.
inline std::uint32_t where_length(const GraphComponent& component) {
  if (component.written != 0) {
    return component.written;
  }
  return component.name.empty() ? 1 : length_of(component.name);
}

/// Characters to underline at GraphComponent::type_location.
inline std::uint32_t type_length(const GraphComponent& component) {
  return component.written != 0 ? component.written : length_of(component.type_name);
}

/// Where the character `offset` of a scalar's text stands: behind its quote, if there is one.
inline Location inside(const Value& scalar, std::size_t offset = 0) {
  Location where = scalar.location();
  where.column += static_cast<std::uint32_t>(offset) + (scalar.quoted() ? 1U : 0U);
  return where;
}

}  // namespace gxr

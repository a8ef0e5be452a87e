#include "graph/named_ends.hpp"

#include <string_view>

namespace gxr {
namespace {

NamedEnd end_of(const Graph& graph, const GraphComponent& connection, std::string_view key) {
  const ParameterAssignment& assignment = *connection.find(key);
  const std::string_view text = assignment.value->text();
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    return {connection.entity, std::string(text)};
  }
  const std::string name(text.substr(0, slash));
  const GraphEntity* entity = graph.find_entity(graph.scopes[assignment.scope].prefix + name);
  entity = entity == nullptr ? graph.find_entity(name) : entity;
  return {entity == nullptr ? kNone : entity->id, std::string(text.substr(slash + 1))};
}

}  // namespace

NamedEnds named_ends(const Graph& graph, const GraphComponent& connection) {
  return {end_of(graph, connection, "source"), end_of(graph, connection, "target")};
}

}  // namespace gxr

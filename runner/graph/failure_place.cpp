#include "graph/failure_place.hpp"

#include <algorithm>
#include <string>

#include "document/diagnostics.hpp"
#include "document/source.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

bool is_written(const SourceMap& sources, Location where) {
  const Source::Kind kind = sources.at(where.source).kind;
  return where.known() && kind != Source::Kind::Program && kind != Source::Kind::ProgramPort;
}

/// Does the text quote the parameter's key, or name the file that is its value?
bool is_named(const ParameterAssignment& assignment, const std::string& text) {
  if (assignment.info == nullptr || !assignment.handles.empty()) {
    return false;
  }
  const std::string_view value =
      assignment.value->is_scalar() ? assignment.value->text() : std::string_view{};
  const bool file = assignment.info->type.kind == ParameterType::Kind::File && !value.empty();
  return text.find(in_quotes(assignment.key)) != std::string::npos ||
         (file && text.find(value) != std::string::npos);
}

}  // namespace

const GraphComponent* failed_component(const Graph& graph, const Failure& failure) {
  const GraphEntity* const entity = graph.find_entity(failure.entity);
  if (entity == nullptr) {
    return nullptr;
  }
  const auto found = std::ranges::find_if(entity->components, [&](ComponentId id) {
    const GraphComponent& component = graph.components[id];
    return component.type != nullptr && component.name == failure.component &&
           component.type->name == failure.type;
  });
  return found == entity->components.end() ? nullptr : &graph.components[*found];
}

std::optional<WrittenPlace> place_of(const Graph& graph, const SourceMap& sources,
                                     const Failure& failure) {
  if (const GraphComponent* const component = failed_component(graph, failure)) {
    for (const ParameterAssignment& assignment : component->parameters) {
      if (is_named(assignment, failure.text) && is_written(sources, assignment.value->location())) {
        return WrittenPlace{assignment.value->location(), underline_length(*assignment.value)};
      }
    }
    if (is_written(sources, component->where)) {
      return WrittenPlace{component->where, where_length(*component)};
    }
  }
  const GraphEntity* const entity = graph.find_entity(failure.entity);
  if (entity == nullptr || !is_written(sources, entity->where)) {
    return std::nullopt;
  }
  const std::size_t prefix = graph.scopes[entity->scope].prefix.size();
  return WrittenPlace{entity->where, entity->named ? length_of(entity->name.substr(prefix)) : 1U};
}

}  // namespace gxr

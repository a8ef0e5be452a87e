#include "graph/unknown_work.hpp"

#include <algorithm>
#include <string_view>

namespace gxr {
namespace {

bool is_named_like_helper(std::string_view type) {
  constexpr std::string_view kEnds[] = {"Receiver",  "Transmitter", "SchedulingTerm",
                                        "Scheduler", "Connection",  "Clock"};
  return std::ranges::any_of(kEnds, [&](std::string_view end) { return type.ends_with(end); });
}

bool is_text(const ParameterAssignment* assignment) {
  return assignment != nullptr && assignment->value->is_scalar();
}

}  // namespace

std::vector<ComponentId> unknown_work(const Graph& graph, const GraphEntity& entity) {
  std::vector<ComponentId> found;
  for (const ComponentId id : entity.components) {
    const GraphComponent& component = graph.components[id];
    if (component.type == nullptr && !component.type_name.empty() &&
        !is_named_like_helper(component.type_name) && !has_ends(component)) {
      found.push_back(id);
    }
  }
  return found;
}

bool has_ends(const GraphComponent& component) {
  return is_text(component.find("source")) && is_text(component.find("target"));
}

bool has_unknown_types(const Graph& graph) {
  return std::ranges::any_of(
      graph.components, [](const GraphComponent& component) { return component.type == nullptr; });
}

}  // namespace gxr

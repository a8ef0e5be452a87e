#include "graph/apply_device.hpp"

#include <algorithm>
#include <array>
#include <iterator>
#include <string_view>

namespace gxr {
namespace {

constexpr std::string_view kKey = "device";

bool has_choice(const std::vector<Choice>& choices, std::string_view name) {
  return std::ranges::find(choices, name, &Choice::name) != choices.end();
}

/// Other components have a parameter of this name that means something else: a number, for one.
bool leaves_the_choice(const ParameterInfo& info) {
  constexpr std::array<std::string_view, 3> names{"cpu", "gpu", "auto"};
  const std::vector<Choice>& choices = info.choices.empty() ? info.type.choices : info.choices;
  return info.key == kKey && choices.size() == names.size() &&
         std::ranges::all_of(names,
                             [&](std::string_view name) { return has_choice(choices, name); });
}

bool leaves_the_choice(const GraphComponent& component) {
  return component.type != nullptr &&
         std::ranges::any_of(component.type->parameters,
                             [](const ParameterInfo& info) { return leaves_the_choice(info); });
}

void set(const DeviceOverride& device, GraphComponent& component, ScopeId scope) {
  auto known = std::ranges::find(component.parameters, kKey, &ParameterAssignment::key);
  if (known == component.parameters.end()) {
    component.parameters.emplace_back();
    known = std::prev(component.parameters.end());
  }
  *known = {kKey, device.where, device.value, nullptr, true, {}, scope};
}

/// What a component of an unknown type leaves open cannot be known; the type was reported.
bool knows_all_types(const Graph& graph) {
  return std::ranges::all_of(
      graph.components, [](const GraphComponent& component) { return component.type != nullptr; });
}

}  // namespace

void apply_device(const Document& document, Diagnostics& diagnostics, Graph& graph) {
  if (!document.device()) {
    return;
  }
  const DeviceOverride& device = *document.device();
  bool matched = false;
  for (GraphComponent& component : graph.components) {
    if (leaves_the_choice(component)) {
      set(device, component, graph.entity_of(component).scope);
      matched = true;
    }
  }
  if (!matched && knows_all_types(graph)) {
    diagnostics.add(DiagnosticCode::OverrideNoMatch, device.where,
                    static_cast<std::uint32_t>(device.value->text().size()),
                    "no component leaves the choice between CPU and GPU",
                    "--device sets the parameter 'device' of components where it takes cpu, gpu "
                    "and auto, such as those of the extension 'image'");
  }
}

}  // namespace gxr

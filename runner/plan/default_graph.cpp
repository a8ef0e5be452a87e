#include "plan/default_graph.hpp"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "device/graph_options.hpp"
#include "graph/roles.hpp"
#include "graph/short_form.hpp"
#include "graph/text.hpp"
#include "plan/deadline_rules.hpp"
#include "plan/region_options.hpp"

namespace gxr {
namespace {

constexpr std::string_view kGpuDevice = "gxr::GPUDevice";

/// Does its type say that somebody wants another run than that by default, or looks at its ticks?
bool chooses_run(const TypeInfo& type, const TypeCatalog& catalog) {
  constexpr std::array<std::string_view, 4> kBases{"gxr::System", "gxr::Clock", "gxr::Monitor",
                                                   "gxr::Controller"};
  return type.name == kGraphExecutor || type.name == kGpuDevice ||
         std::ranges::any_of(kBases,
                             [&](std::string_view base) { return catalog.is_a(type, base); });
}

bool is_short_codelet(const GraphComponent& component) {
  return component.written != 0 && component.name == kShortCodelet;
}

/// The difference that components of an entity would make between a loop and a scheduler, a half
/// sentence; empty: none.
std::string obstacle_in(const Graph& graph, const GraphEntity& entity) {
  if (entity.restart) {
    return "'on_failure' makes the operator of " + in_quotes(entity.name) +
           " anew, but not in a graph";
  }
  const GraphComponent* polling = nullptr;
  bool has_handler = false;
  for (const ComponentId id : entity.components) {
    const GraphComponent& component = graph.components[id];
    has_handler = has_handler || component.capability(Capability::Kind::LooksForInput) != nullptr;
    polling = component.capability(Capability::Kind::Polls) != nullptr ? &component : polling;
  }
  return has_handler && polling != nullptr
             ? in_quotes(polling->type->name) + " of " + in_quotes(entity.name) +
                   " may end its input, but not that of a graph"
             : std::string();
}

/// A loop that nothing ends or feeds would take a GPU for itself.
std::string endless_source(const Graph& graph, const GraphRegion& region) {
  if (!region.handlers.empty()) {
    return {};
  }
  const auto found = std::ranges::find_if(region.steps, [](const GraphStep& step) {
    return step.predecessors.empty() && step.around.empty() && !step.count;
  });
  return found == region.steps.end()
             ? std::string()
             : in_quotes(graph.entities[found->entity].name) +
                   " has neither a 'count' nor a gxr::cuda::DataReadyHandler";
}

std::string obstacle_of(const Plan& plan, const GraphPart& part) {
  const Graph& graph = *plan.graph;
  for (const Placement& placement : part.placements) {
    if (placement.region == 0) {
      return in_quotes(graph.entities[placement.entity].name) +
             " is not in it: " + placement.reason;
    }
  }
  if (part.regions.size() != 1) {
    return "its operators are " + std::to_string(part.regions.size()) +
           " sets that no connection joins";
  }
  return endless_source(graph, *part.regions.front().graph);
}

}  // namespace

bool leaves_executor_open(const Graph& graph, const TypeCatalog& catalog) {
  if (!graph.makes_scheduler) {
    return false;
  }
  Roles roles(catalog);
  const TypeInfo* last = nullptr;
  bool any = false;
  for (const GraphComponent& component : graph.components) {
    const TypeInfo& type = *component.type;
    if (roles.has(component, Role::Codelet)) {
      if (!is_short_codelet(component) || !may_be_captured(type)) {
        return false;
      }
      any = any || type.capturable;
    } else if (&type != last && graph.entity_of(component).name != kShortScheduler) {
      if (chooses_run(type, catalog)) {
        return false;
      }
      last = &type;
    }
  }
  return any;
}

WholeGraph plan_whole_graph(const Plan& plan, const Diagnostics& diagnostics) {
  const Graph& graph = *plan.graph;
  WholeGraph whole;
  for (const GraphEntity& entity : graph.entities) {
    if (whole.obstacle = obstacle_in(graph, entity); !whole.obstacle.empty()) {
      return whole;
    }
  }
  Diagnostics found(diagnostics.compat_gxf());
  whole.part = plan_graphs(plan, {GraphMode::Resident, true, false}, found);
  for (const Region& region : whole.part.regions) {
    check_options(graph, region, found);
  }
  check_deadlines(graph, whole.part.region_of, found);
  whole.obstacle = found.all().empty() ? obstacle_of(plan, whole.part) : found.all().front().text;
  return whole;
}

std::string unknown_shape(const Graph& graph, const GraphRegion& region) {
  if (region.laid_out) {
    return {};
  }
  for (const GraphStep& step : region.steps) {
    if (!step.answered) {
      return "the shapes of " + in_quotes(graph.entities[step.entity].name) +
             " are not known before the run";
    }
  }
  return "not all shapes are known before the run";
}

}  // namespace gxr

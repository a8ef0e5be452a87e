#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"
#include "gxr/error.hpp"
#include "plan/activation_order.hpp"
#include "plan/branch_rules.hpp"
#include "plan/delayed_rules.hpp"
#include "plan/graph_executors.hpp"
#include "plan/graph_part.hpp"
#include "plan/plan.hpp"
#include "plan/region_options.hpp"
#include "plan/step_order.hpp"
#include "plan/work_graph.hpp"

namespace gxr {
namespace {

constexpr std::pair<std::string_view, ExecutorKind> kExecutors[] = {
    {"greedy", ExecutorKind::Greedy},
    {"threads", ExecutorKind::Threads},
    {"events", ExecutorKind::Events},
};

/// Names for PlanOptions::executor that make CUDA graphs everywhere. Without a mode the planner
/// chooses.
constexpr std::pair<std::string_view, std::optional<GraphMode>> kGraphExecutors[] = {
    {"graph", GraphMode::Graph},
    {"resident", GraphMode::Resident},
    {"auto", std::nullopt},
};

constexpr std::pair<Role, ExecutorKind> kSchedulers[] = {
    {Role::GreedyScheduler, ExecutorKind::Greedy},
    {Role::MultiThreadScheduler, ExecutorKind::Threads},
    {Role::EventBasedScheduler, ExecutorKind::Events},
    {Role::EpochScheduler, ExecutorKind::Events},
};

const GraphComponent* find_scheduler(const Graph& graph, Roles& roles) {
  const auto found = std::ranges::find_if(
      graph.components, [&](const GraphComponent& c) { return roles.has(c, Role::Scheduler); });
  return found == graph.components.end() ? nullptr : &*found;
}

const auto* graph_executor_called(std::string_view name) {
  const auto* found =
      std::ranges::find(kGraphExecutors, name, [](const auto& known) { return known.first; });
  return found == std::end(kGraphExecutors) ? nullptr : found;
}

/// Who is asked to run the CPU's part, unless the scheduler is.
std::optional<ExecutorKind> named_executor(const PlanOptions& options) {
  if (options.executor.empty() || graph_executor_called(options.executor) != nullptr) {
    return std::nullopt;
  }
  for (const auto& [known, kind] : kExecutors) {
    if (options.executor == known) {
      return kind;
    }
  }
  throw Error(ErrorCode::InvalidArgument,
              "unknown executor '" + options.executor +
                  "'; known: greedy, threads, events, graph, resident, auto");
}

/// By the options, else by the scheduler.
ExecutorKind choose_executor(const PlanOptions& options, const GraphComponent* scheduler,
                             Roles& roles) {
  if (const std::optional<ExecutorKind> kind = named_executor(options)) {
    return *kind;
  }
  if (scheduler == nullptr) {
    return ExecutorKind::Greedy;
  }
  for (const auto& [role, kind] : kSchedulers) {
    if (roles.has(*scheduler, role)) {
      return kind;
    }
  }
  throw Error(ErrorCode::NotSupported, "the application asks for the executor of '" +
                                           scheduler->type->name +
                                           "', which this build does not have; it has: greedy, "
                                           "threads, events");
}

std::vector<bool> entities_with_codelets(const Graph& graph, Roles& roles) {
  std::vector<bool> found(graph.entities.size());
  for (const GraphComponent& component : graph.components) {
    if (roles.has(component, Role::Codelet)) {
      found[component.entity] = true;
    }
  }
  return found;
}

/// The CPU's region: everything that works and is in no other.
Region make_main(const Plan& plan, const RegionOf& region_of, const PlanOptions& options,
                 const GraphComponent* scheduler, Roles& roles) {
  Region region{"main",
                choose_executor(options, scheduler, roles),
                scheduler == nullptr ? kNone : scheduler->id,
                {},
                std::nullopt};
  const std::vector<bool> works = entities_with_codelets(*plan.graph, roles);
  for (const EntityId entity : plan.activation_order) {
    if (works[entity] && region_of[entity] == kNone) {
      region.body.items.emplace_back(PlanStep{entity, kNone});
    }
  }
  return region;
}

/// What is asked of CUDA graphs: by the options, else by the files, else nothing.
std::optional<GraphRequest> graph_request(const Graph& graph, const PlanOptions& options) {
  if (const auto* asked = graph_executor_called(options.executor)) {
    return GraphRequest{asked->second, true, !asked->second};
  }
  if (!options.executor.empty() || !has_graph_executor(graph)) {
    return std::nullopt;
  }
  return GraphRequest{};
}

void add_buffers(const RegionOf& region_of, Plan& plan) {
  const Graph& graph = *plan.graph;
  for (const Link& link : graph.links) {
    const GraphComponent& receiver = graph.components[link.receiver];
    const bool on_cpu = region_of[graph.components[link.transmitter].entity] == kNone &&
                        region_of[receiver.entity] == kNone;
    if (!link.duplicate && on_cpu) {
      plan.buffers.push_back(
          {link.transmitter, link.receiver, unsigned_parameter(receiver, "capacity").value_or(0)});
    }
  }
}

/// Measures now and then, unless that is said, or would change how the graph runs.
void measure_operators(const Graph& graph, Region& region) {
  constexpr std::uint32_t kEvery = 100;
  const bool is_said = region.declared_by != kNone &&
                       graph.components[region.declared_by].find("instrument_every") != nullptr;
  if (!is_said && can_be_measured(*region.graph)) {
    region.graph->options.instrument_every = kEvery;
  }
}

}  // namespace

const char* to_string(ExecutorKind kind) noexcept {
  switch (kind) {
    case ExecutorKind::Greedy:
      return "greedy";
    case ExecutorKind::Threads:
      return "threads";
    case ExecutorKind::Events:
      return "events";
    case ExecutorKind::Graph:
      return "graph";
    case ExecutorKind::Resident:
      return "resident";
  }
  return "unknown";
}

Plan make_plan(const Graph& graph, const TypeCatalog& catalog, const PlanOptions& options) {
  Diagnostics diagnostics;
  Plan plan = make_plan(graph, catalog, options, diagnostics);
  for (const Diagnostic& diagnostic : diagnostics.all()) {
    if (diagnostic.severity == Severity::Error) {
      throw Error(ErrorCode::InvalidData, diagnostic.text);
    }
  }
  return plan;
}

Plan make_plan(const Graph& graph, const TypeCatalog& catalog, const PlanOptions& options,
               Diagnostics& diagnostics) {
  Roles roles(catalog);
  const GraphComponent* scheduler = find_scheduler(graph, roles);

  Plan plan;
  plan.graph = &graph;
  plan.catalog = &catalog;
  plan.activation_order = activation_order(graph, catalog);
  RegionOf region_of(graph.entities.size(), kNone);
  if (scheduler != nullptr || !options.executor.empty()) {
    GraphPart part;
    if (const std::optional<GraphRequest> request = graph_request(graph, options)) {
      part = plan_graphs(plan, *request, diagnostics);
      region_of = part.region_of;
      for (Region& region : part.regions) {
        if (!region.graph) {
          continue;
        }
        if (options.measures) {
          measure_operators(graph, region);
        }
        check_options(graph, region, diagnostics);
      }
    } else if (needs_graph(graph)) {
      const WorkGraph work(graph, catalog);
      check_branches_inside(work, nullptr, diagnostics);
      check_delayed(work, nullptr, diagnostics);
    }
    plan.regions.push_back(make_main(plan, region_of, options, scheduler, roles));
    std::ranges::move(part.regions, std::back_inserter(plan.regions));
    plan.bridges = std::move(part.bridges);
    plan.placements = std::move(part.placements);
  }
  add_buffers(region_of, plan);
  return plan;
}

namespace {

/// What the CPU's executors cannot do of a region; nullptr: nothing.
const char* only_in_graphs(const Region& region) {
  if (!region.graph) {
    return nullptr;
  }
  if (!region.graph->branches.empty()) {
    return "branches";
  }
  const auto is_delayed = [](const GraphTensor& tensor) { return tensor.delays != kNone; };
  return std::ranges::any_of(region.graph->tensors, is_delayed) ? "delayed connections" : nullptr;
}

}  // namespace

Plan plan_without_graphs(const Plan& plan) {
  std::vector<std::string> names;
  for (const Region& region : plan.regions) {
    if (region.graph) {
      names.push_back(region.name);
    }
    if (const char* const unknown = only_in_graphs(region); unknown != nullptr) {
      throw Error(ErrorCode::NotSupported,
                  "the operators of region '" + region.name +
                      "' cannot be run to verify them: the CPU's executors know no " + unknown);
    }
  }
  if (names.empty()) {
    return plan;
  }
  Plan all = make_plan(*plan.graph, *plan.catalog, {to_string(plan.regions.front().executor)});
  all.graphs_left_out = std::move(names);
  return all;
}

std::vector<std::size_t> graph_regions_of_entities(const Plan& plan) {
  std::vector<std::size_t> found(plan.graph->entities.size(), kNoRegion);
  for (std::size_t i = 0; i < plan.regions.size(); ++i) {
    if (const auto& graph = plan.regions[i].graph) {
      for (const GraphStep& step : graph->steps) {
        found[step.entity] = i;
      }
      for (const EntityId entity : graph->dissolved) {
        found[entity] = i;
      }
    }
  }
  return found;
}

}  // namespace gxr

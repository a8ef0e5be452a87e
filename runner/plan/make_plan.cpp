#include <algorithm>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"
#include "graph/unknown_work.hpp"
#include "graph/working_entities.hpp"
#include "gxr/error.hpp"
#include "plan/activation_order.hpp"
#include "plan/branch_rules.hpp"
#include "plan/deadline_rules.hpp"
#include "plan/default_graph.hpp"
#include "plan/delayed_rules.hpp"
#include "plan/executors.hpp"
#include "plan/graph_executors.hpp"
#include "plan/graph_part.hpp"
#include "plan/plan.hpp"
#include "plan/region_options.hpp"
#include "plan/step_order.hpp"
#include "plan/work_graph.hpp"

namespace gxr {
namespace {

const GraphComponent* find_scheduler(const Graph& graph, Roles& roles) {
  const auto found = std::ranges::find_if(
      graph.components, [&](const GraphComponent& c) { return roles.has(c, Role::Scheduler); });
  return found == graph.components.end() ? nullptr : &*found;
}

/// The executor that the options name, or nullptr if none. Throws Error(InvalidArgument) for a name
/// that no executor has.
const ExecutorEntry* named_executor(const PlanOptions& options) {
  if (options.executor.empty()) {
    return nullptr;
  }
  const ExecutorEntry* const found = find_executor(options.executor);
  if (found == nullptr) {
    throw Error(ErrorCode::InvalidArgument,
                "unknown executor '" + options.executor + "'; known: " + executor_names(false));
  }
  return found;
}

/// The executor of the CPU's part: the options' choice, else the scheduler's.
ExecutorKind choose_executor(const PlanOptions& options, const GraphComponent* scheduler,
                             Roles& roles) {
  const ExecutorEntry* const named = named_executor(options);
  if (named != nullptr && !named->makes_graphs) {
    return named->kind;
  }
  if (scheduler == nullptr) {
    return named == nullptr ? ExecutorKind::Unknown : ExecutorKind::Greedy;
  }
  const ExecutorKind kind = executor_of(*scheduler, roles);
  if (kind == ExecutorKind::Unknown) {
    throw Error(ErrorCode::NotSupported,
                "the application asks for the executor of '" + scheduler->type->name +
                    "', which this build does not have; it has: " + executor_names(true));
  }
  return kind;
}

/// The CPU's region: everything that works and is in no other.
Region make_main(const Plan& plan, const RegionOf& region_of, const PlanOptions& options,
                 const GraphComponent* scheduler, Roles& roles) {
  Region region{"main",
                choose_executor(options, scheduler, roles),
                scheduler == nullptr ? kNone : scheduler->id,
                {},
                std::nullopt};
  const ExecutorEntry* const named = named_executor(options);
  region.chosen = named != nullptr && !named->makes_graphs &&
                  (scheduler == nullptr || executor_of(*scheduler, roles) != named->kind);
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
  const ExecutorEntry* const named = named_executor(options);
  if (named != nullptr && named->makes_graphs) {
    return GraphRequest{named->mode, true, !named->mode};
  }
  if (named != nullptr || !has_graph_executor(graph)) {
    return std::nullopt;
  }
  return GraphRequest{};
}

/// CUDA graphs were asked for by name and there is nothing for one: the CPU runs all the same.
void warn_without_graphs(const PlanOptions& options, const std::vector<Region>& regions,
                         Diagnostics& diagnostics) {
  const ExecutorEntry* const named = named_executor(options);
  const bool none =
      std::ranges::none_of(regions, [](const Region& region) { return region.graph.has_value(); });
  if (named != nullptr && named->mode && none && diagnostics.errors() == 0) {
    diagnostics.add(DiagnosticCode::NothingToCapture, Location{}, 1,
                    "executor '" + options.executor +
                        "': no entity can be part of a CUDA graph, so the CPU runs all of them",
                    "'gxr plan' says why of each; 'gxr describe TYPE' says whether a type is "
                    "capturable");
  }
}

void add_buffers(const RegionOf& region_of, Plan& plan) {
  const Graph& graph = *plan.graph;
  for (const Link& link : graph.links) {
    const GraphComponent& receiver = graph.components[link.receiver];
    const bool on_cpu = region_of[graph.components[link.transmitter].entity] == kNone &&
                        region_of[receiver.entity] == kNone;
    if (!link.duplicate && on_cpu) {
      plan.buffers.push_back({link.transmitter, link.receiver, capacity_of(receiver).value_or(0)});
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

/// The CUDA graphs that are asked for.
GraphPart asked_graphs(const Plan& plan, const GraphRequest& request, const PlanOptions& options,
                       Diagnostics& diagnostics) {
  GraphPart part = plan_graphs(plan, request, diagnostics);
  for (const Region& region : part.regions) {
    if (region.graph) {
      check_options(*plan.graph, region, diagnostics);
    }
  }
  warn_without_graphs(options, part.regions, diagnostics);
  return part;
}

/// The whole application, if nobody says what runs it and nothing is in the way.
GraphPart default_graph(Plan& plan, const PlanOptions& options, const Diagnostics& diagnostics) {
  if (!options.executor.empty() || options.is_spread ||
      !leaves_executor_open(*plan.graph, *plan.catalog)) {
    return {};
  }
  WholeGraph whole = plan_whole_graph(plan, diagnostics);
  plan.default_graph = DefaultGraph{whole.obstacle.empty(), std::move(whole.obstacle)};
  return plan.default_graph->chosen ? std::move(whole.part) : GraphPart{};
}

/// All CUDA graphs of the plan; nothing if there are none.
GraphPart make_graphs(Plan& plan, const PlanOptions& options, Diagnostics& diagnostics) {
  const Graph& graph = *plan.graph;
  if (has_unknown_types(graph)) {
    return {};
  }
  const std::optional<GraphRequest> request = graph_request(graph, options);
  GraphPart part = request ? asked_graphs(plan, *request, options, diagnostics)
                           : default_graph(plan, options, diagnostics);
  for (Region& region : part.regions) {
    if (region.graph && options.measures) {
      measure_operators(graph, region);
    }
  }
  if (!request && part.regions.empty() && needs_graph(graph)) {
    const WorkGraph work(graph, *plan.catalog);
    check_branches_inside(work, nullptr, diagnostics);
    check_delayed(work, nullptr, diagnostics);
  }
  return part;
}

}  // namespace

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
  if (scheduler != nullptr || !options.executor.empty() || has_unknown_types(graph)) {
    GraphPart part = make_graphs(plan, options, diagnostics);
    if (!part.region_of.empty()) {
      region_of = part.region_of;
    }
    check_deadlines(graph, region_of, diagnostics);
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

void leave_default_graph(Plan& plan, std::string obstacle, Diagnostics& diagnostics) {
  if (!plan.default_graph || !plan.default_graph->chosen) {
    return;
  }
  // The short form made the scheduler.
  Plan on_cpu =
      make_plan(*plan.graph, *plan.catalog, {to_string(ExecutorKind::Greedy)}, diagnostics);
  on_cpu.default_graph = DefaultGraph{false, std::move(obstacle)};
  plan = std::move(on_cpu);
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

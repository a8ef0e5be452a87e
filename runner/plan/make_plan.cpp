#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"
#include "gxr/error.hpp"
#include "plan/activation_order.hpp"
#include "plan/build_graph_region.hpp"
#include "plan/find_regions.hpp"
#include "plan/graph_executors.hpp"
#include "plan/graph_inputs.hpp"
#include "plan/plan.hpp"
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

/// The CPU's region: everything that works and is in no other.
Region make_main(const Plan& plan, const WorkGraph& work, const RegionOf& region_of,
                 const PlanOptions& options, const GraphComponent* scheduler) {
  Roles roles(*plan.catalog);
  Region region{"main",
                choose_executor(options, scheduler, roles),
                scheduler == nullptr ? kNone : scheduler->id,
                {},
                std::nullopt};
  for (const EntityId entity : plan.activation_order) {
    if (!work.at(entity).codelets.empty() && region_of[entity] == kNone) {
      region.body.items.emplace_back(PlanStep{entity, kNone});
    }
  }
  return region;
}

/// Makes the parts of a plan that belong to CUDA graphs.
class GraphPlanner {
 public:
  GraphPlanner(const WorkGraph& work, const PlanOptions& options, Diagnostics& diagnostics)
      : work_(work), diagnostics_(diagnostics) {
    const auto* asked = graph_executor_called(options.executor);
    if (asked == nullptr && !options.executor.empty()) {
      search_.region_of.assign(work.entities.size(), kNone);  // all is left to the CPU
      return;
    }
    const std::size_t errors = diagnostics.errors();
    executors_ = find_graph_executors(work, diagnostics);
    everywhere_ = asked != nullptr;
    chooses_mode_ = everywhere_ && !asked->second;
    search_ = find_regions(work, executors_, everywhere_ ? asked->second : std::nullopt,
                           everywhere_, diagnostics);
    sound_ = diagnostics.errors() == errors;
  }

  [[nodiscard]] const RegionOf& region_of() const { return search_.region_of; }

  void add_to(Plan& plan) {
    const std::size_t first = plan.regions.size();
    for (std::uint32_t i = 0; sound_ && i < search_.regions.size(); ++i) {
      plan.regions.push_back(make_region(i));
    }
    if (!sound_) {
      return;
    }
    for (const GraphExecutorEntry& executor : executors_) {
      apply_inputs(*executor.component, plan, diagnostics_);
    }
    add_bridges(plan, first);
    add_placements(plan, first);
  }

 private:
  Region make_region(std::uint32_t number) {
    const RegionMembers& members = search_.regions[number];
    const bool resident = members.options.mode == GraphMode::Resident;
    Region region{members.name,
                  resident ? ExecutorKind::Resident : ExecutorKind::Graph,
                  members.declared_by == nullptr ? kNone : members.declared_by->id,
                  {},
                  build_graph_region(work_, search_, number)};
    region.graph->chooses_mode = chooses_mode_;
    for (StepId step = 0; step < region.graph->steps.size(); ++step) {
      region.body.items.emplace_back(PlanStep{region.graph->steps[step].entity, step});
    }
    return region;
  }

  [[nodiscard]] std::size_t region_number(ComponentId component, std::size_t first) const {
    const std::uint32_t region = search_.region_of[work_.entity_of(component)];
    return region == kNone ? 0 : first + region;
  }

  void add_bridges(Plan& plan, std::size_t first) const {
    for (const Link& link : work_.graph.links) {
      const std::size_t from = region_number(link.transmitter, first);
      const std::size_t to = region_number(link.receiver, first);
      if (!link.duplicate && from != to) {
        plan.bridges.push_back({from, to, link});
      }
    }
  }

  void add_placements(Plan& plan, std::size_t first) const {
    if (!everywhere_ && executors_.empty()) {
      return;
    }
    for (const EntityId entity : plan.activation_order) {
      if (work_.at(entity).kind != WorkEntity::Kind::Idle) {
        const std::uint32_t region = search_.region_of[entity];
        plan.placements.push_back(
            {entity, region == kNone ? 0 : first + region, search_.reasons[entity]});
      }
    }
  }

  const WorkGraph& work_;
  Diagnostics& diagnostics_;
  std::vector<GraphExecutorEntry> executors_;
  RegionSearch search_;
  bool everywhere_ = false;
  bool chooses_mode_ = false;
  bool sound_ = true;
};

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
  const WorkGraph work(graph, catalog);
  GraphPlanner graphs(work, options, diagnostics);
  if (scheduler != nullptr || !options.executor.empty()) {
    plan.regions.push_back(make_main(plan, work, graphs.region_of(), options, scheduler));
    graphs.add_to(plan);
  }
  add_buffers(graphs.region_of(), plan);
  return plan;
}

}  // namespace gxr

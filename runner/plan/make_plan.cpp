#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"
#include "gxr/error.hpp"
#include "plan/activation_order.hpp"
#include "plan/plan.hpp"

namespace gxr {
namespace {

/// Names for PlanOptions::executor that are known but that no executor of this build answers to.
constexpr std::string_view kMissingExecutors[] = {"graph", "resident", "auto"};

constexpr std::pair<std::string_view, ExecutorKind> kExecutors[] = {
    {"greedy", ExecutorKind::Greedy},
    {"threads", ExecutorKind::Threads},
    {"events", ExecutorKind::Events},
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

[[noreturn]] void throw_no_executor(const std::string& what) {
  throw Error(ErrorCode::NotSupported,
              what + ", which this build does not have; it has: greedy, threads, events");
}

ExecutorKind kind_of_name(const std::string& name) {
  for (const auto& [known, kind] : kExecutors) {
    if (name == known) {
      return kind;
    }
  }
  if (std::ranges::find(kMissingExecutors, name) != std::end(kMissingExecutors)) {
    throw_no_executor("--executor asks for '" + name + "'");
  }
  throw Error(
      ErrorCode::InvalidArgument,
      "unknown executor '" + name + "'; known: greedy, threads, events, graph, resident, auto");
}

/// Who is asked to run the graph: by the options, else by the scheduler.
ExecutorKind choose_executor(const PlanOptions& options, const GraphComponent* scheduler,
                             Roles& roles) {
  if (!options.executor.empty()) {
    return kind_of_name(options.executor);
  }
  for (const auto& [role, kind] : kSchedulers) {
    if (roles.has(*scheduler, role)) {
      return kind;
    }
  }
  throw_no_executor("the application asks for the executor of '" + scheduler->type->name + "'");
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

Region make_region(const Plan& plan, const PlanOptions& options, const GraphComponent* scheduler,
                   Roles& roles) {
  Region region{"main",
                choose_executor(options, scheduler, roles),
                scheduler == nullptr ? kNone : scheduler->id,
                {},
                std::nullopt};
  const std::vector<bool> works = entities_with_codelets(*plan.graph, roles);
  for (const EntityId entity : plan.activation_order) {
    if (works[entity]) {
      region.body.items.emplace_back(PlanStep{entity, kNone});
    }
  }
  return region;
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
               Diagnostics& /*diagnostics*/) {
  Roles roles(catalog);
  const GraphComponent* scheduler = find_scheduler(graph, roles);

  Plan plan;
  plan.graph = &graph;
  plan.catalog = &catalog;
  plan.activation_order = activation_order(graph, catalog);
  if (scheduler != nullptr || !options.executor.empty()) {
    plan.regions.push_back(make_region(plan, options, scheduler, roles));
  }
  for (const Link& link : graph.links) {
    if (!link.duplicate) {
      const GraphComponent& receiver = graph.components[link.receiver];
      plan.buffers.push_back(
          {link.transmitter, link.receiver, unsigned_parameter(receiver, "capacity").value_or(0)});
    }
  }
  return plan;
}

}  // namespace gxr

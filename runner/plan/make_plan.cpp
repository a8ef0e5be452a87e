#include <algorithm>
#include <string>
#include <string_view>

#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"
#include "gxr/error.hpp"
#include "plan/activation_order.hpp"
#include "plan/plan.hpp"

namespace gxr {
namespace {

constexpr std::string_view kOtherExecutors[] = {"threads", "events", "graph", "resident", "auto"};

const GraphComponent* find_scheduler(const Graph& graph, Roles& roles) {
  const auto found = std::ranges::find_if(
      graph.components, [&](const GraphComponent& c) { return roles.has(c, Role::Scheduler); });
  return found == graph.components.end() ? nullptr : &*found;
}

[[noreturn]] void throw_no_executor(const std::string& what) {
  throw Error(ErrorCode::NotSupported, what + ", which this build does not have; it has: greedy");
}

/// Throws Error unless the greedy executor is what was asked for.
void require_greedy(const PlanOptions& options, const GraphComponent* scheduler, Roles& roles) {
  if (options.executor == "greedy") {
    return;
  }
  if (std::ranges::find(kOtherExecutors, options.executor) != std::end(kOtherExecutors)) {
    throw_no_executor("--executor asks for '" + options.executor + "'");
  }
  if (!options.executor.empty()) {
    throw Error(ErrorCode::InvalidArgument,
                "unknown executor '" + options.executor +
                    "'; known: greedy, threads, events, graph, resident, auto");
  }
  if (scheduler != nullptr && !roles.has(*scheduler, Role::GreedyScheduler)) {
    throw_no_executor("the application asks for the executor of '" + scheduler->type->name + "'");
  }
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
  Roles roles(catalog);
  const GraphComponent* scheduler = find_scheduler(graph, roles);
  require_greedy(options, scheduler, roles);

  Plan plan;
  plan.graph = &graph;
  plan.catalog = &catalog;
  plan.activation_order = activation_order(graph, catalog);
  Region region{"main", ExecutorKind::Greedy, scheduler == nullptr ? kNone : scheduler->id, {}};
  const std::vector<bool> works = entities_with_codelets(graph, roles);
  for (const EntityId entity : plan.activation_order) {
    if (works[entity]) {
      region.body.items.emplace_back(PlanStep{entity});
    }
  }
  plan.regions.push_back(std::move(region));
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

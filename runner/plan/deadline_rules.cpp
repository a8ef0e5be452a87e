#include "plan/deadline_rules.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "graph/text.hpp"

namespace gxr {
namespace {

/// By entity: does data come to it through a CUDA graph?
std::vector<bool> find_fed_by_graphs(const Graph& graph, const RegionOf& region_of) {
  std::vector<std::vector<EntityId>> consumers(graph.entities.size());
  for (const Link& link : graph.links) {
    consumers[graph.components[link.transmitter].entity].push_back(
        graph.components[link.receiver].entity);
  }
  std::vector<bool> fed(graph.entities.size());
  std::vector<EntityId> open;
  for (const GraphEntity& entity : graph.entities) {
    if (region_of[entity.id] != kNone) {
      open.push_back(entity.id);
    }
  }
  while (!open.empty()) {
    const EntityId id = open.back();
    open.pop_back();
    for (const EntityId consumer : consumers[id]) {
      if (!fed[consumer]) {
        fed[consumer] = true;
        open.push_back(consumer);
      }
    }
  }
  return fed;
}

}  // namespace

void check_deadlines(const Graph& graph, const RegionOf& region_of, Diagnostics& diagnostics) {
  const auto has_deadline = [](const GraphEntity& entity) { return entity.deadline.has_value(); };
  if (std::ranges::none_of(graph.entities, has_deadline)) {
    return;
  }
  const std::vector<bool> fed = find_fed_by_graphs(graph, region_of);
  for (const GraphEntity& entity : graph.entities) {
    if (!entity.deadline) {
      continue;
    }
    const bool inside = region_of[entity.id] != kNone;
    if (inside || (fed[entity.id] && !entity.deadline->ages.empty())) {
      diagnostics.add(
          DiagnosticCode::RegionDeadline, entity.where, 1,
          (inside ? "the deadline of " : "the age in the deadline of ") + in_quotes(entity.name) +
              " is not measured: " +
              (inside ? "it belongs to a CUDA graph" : "data comes through a CUDA graph"),
          inside ? "measure the entities around the graph, or its iterations by "
                   "'iteration_timeout_us'"
                 : "leave out 'age'");
    }
  }
}

}  // namespace gxr

#include "plan/shape_order.hpp"

#include <algorithm>
#include <numeric>
#include <utility>

#include "plan/strong_components.hpp"

namespace gxr {
namespace {

/// By a sibling of the iterations: its tensors are always delayed, so it closes no cycle of
/// entities that wait for each other.
bool is_read_beside(const WorkGraph& work, const Link& link) {
  const BranchId reader = work.branches.launched_around(work.entity_of(link.receiver));
  return reader != kNone && work.branches.at(reader).launch == BranchLaunch::Sibling &&
         reader != work.branches.launched_around(work.entity_of(link.transmitter));
}

/// Writers before readers, also those that read the time after, if no cycle is closed by that.
std::vector<EntityId> topological_order(const Graph& graph, const WorkGraph& work) {
  std::vector<std::vector<EntityId>> within(work.entities.size());
  std::vector<std::vector<EntityId>> all(work.entities.size());
  for (const Link& link : graph.links) {
    const EntityId from = work.entity_of(link.transmitter);
    const EntityId to = work.entity_of(link.receiver);
    all[from].push_back(to);
    if (!link.delayed || is_read_beside(work, link)) {
      within[from].push_back(to);
    }
  }
  // Those on a cycle without anything delayed in any order: the shapes that they wait for stay
  // unknown.
  const StrongComponents cycles = find_strong_components(all);
  const StrongComponents inside = find_strong_components(within);
  std::vector<EntityId> order(work.entities.size());
  std::iota(order.begin(), order.end(), EntityId{0});
  std::ranges::stable_sort(
      order, {}, [&](EntityId entity) { return std::pair(cycles.of[entity], inside.of[entity]); });
  return order;
}

}  // namespace

ShapeOrder::ShapeOrder(const Graph& graph, const TypeCatalog& catalog)
    : work(graph, catalog), entities(topological_order(graph, work)) {}

}  // namespace gxr

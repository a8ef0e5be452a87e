#include "plan/graph_part.hpp"

#include <utility>

#include "plan/branch_rules.hpp"
#include "plan/build_graph_region.hpp"
#include "plan/delayed_rules.hpp"
#include "plan/find_regions.hpp"
#include "plan/graph_executors.hpp"
#include "plan/graph_inputs.hpp"
#include "plan/green_context.hpp"
#include "plan/work_graph.hpp"

namespace gxr {
namespace {

constexpr std::size_t kMain = 0;

std::size_t number_of(std::uint32_t region) { return region == kNone ? kMain : region + 1; }

Region make_region(const WorkGraph& work, const RegionSearch& search, std::uint32_t number,
                   bool chooses_mode) {
  const RegionMembers& members = search.regions[number];
  const bool resident = members.options.mode == GraphMode::Resident;
  BuiltRegion built = build_graph_region(work, search, number);
  Region region{members.name, resident ? ExecutorKind::Resident : ExecutorKind::Graph,
                members.declared_by == nullptr ? kNone : members.declared_by->id,
                std::move(built.order), std::move(built.graph)};
  region.graph->chooses_mode = chooses_mode;
  return region;
}

std::vector<Bridge> find_bridges(const WorkGraph& work, const RegionOf& region_of) {
  std::vector<Bridge> bridges;
  for (const Link& link : work.graph.links) {
    const std::size_t from = number_of(region_of[work.entity_of(link.transmitter)]);
    const std::size_t to = number_of(region_of[work.entity_of(link.receiver)]);
    if (!link.duplicate && from != to) {
      bridges.push_back({from, to, link});
    }
  }
  return bridges;
}

std::vector<Placement> explain(const Plan& plan, const WorkGraph& work,
                               const RegionSearch& search) {
  std::vector<Placement> placements;
  for (const EntityId entity : plan.activation_order) {
    if (work.at(entity).kind != WorkEntity::Kind::Idle) {
      placements.push_back({entity, number_of(search.region_of[entity]), search.reasons[entity]});
    }
  }
  return placements;
}

}  // namespace

GraphPart plan_graphs(const Plan& plan, const GraphRequest& request, Diagnostics& diagnostics) {
  const std::size_t errors = diagnostics.errors();
  const WorkGraph work(*plan.graph, *plan.catalog);
  const std::vector<GraphExecutorEntry> executors = find_graph_executors(work, diagnostics);
  const std::size_t before = diagnostics.errors();
  check_branches(work, diagnostics);
  GraphPart part;
  if (diagnostics.errors() > before) {
    part.region_of.assign(work.entities.size(), kNone);
    return part;
  }
  RegionSearch search =
      find_regions(work, executors, request.mode, request.everywhere, diagnostics);
  if (diagnostics.errors() == errors) {
    check_branches_inside(work, &search, diagnostics);
    check_delayed(work, &search, diagnostics);
  }
  if (diagnostics.errors() == errors) {
    for (std::uint32_t i = 0; i < search.regions.size(); ++i) {
      part.regions.push_back(make_region(work, search, i, request.chooses_mode));
    }
    for (const GraphExecutorEntry& executor : executors) {
      apply_inputs(*executor.component, *plan.graph, part.regions, diagnostics);
      apply_green_context(*executor.component, *plan.graph, part.regions, diagnostics);
    }
    part.bridges = find_bridges(work, search.region_of);
    part.placements = explain(plan, work, search);
  }
  part.region_of = std::move(search.region_of);
  return part;
}

}  // namespace gxr

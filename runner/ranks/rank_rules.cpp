#include "ranks/rank_rules.hpp"

#include <algorithm>
#include <string>
#include <vector>

#include "graph/roles.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

/// A handle in the value of a parameter.
struct HandleUse {
  const GraphComponent* from = nullptr;
  const HandleReference* reference = nullptr;
  EntityId to = kNone;
};

/// Handles between entities, but for those of connections, which may lead to any rank.
std::vector<HandleUse> handles_between_entities(const Graph& graph, Roles& roles) {
  std::vector<HandleUse> uses;
  for (const GraphComponent& component : graph.components) {
    if (roles.has(component, Role::Connection) || roles.has(component, Role::Topic)) {
      continue;
    }
    for (const ParameterAssignment& assignment : component.parameters) {
      for (const HandleReference& handle : assignment.handles) {
        if (handle.target != kNone && graph.components[handle.target].entity != component.entity) {
          uses.push_back({&component, &handle, graph.components[handle.target].entity});
        }
      }
    }
  }
  return uses;
}

class RankRules {
 public:
  RankRules(const Graph& graph, const TypeCatalog& catalog, RankMap& map, Diagnostics& diagnostics)
      : graph_(graph), roles_(catalog), map_(map), diagnostics_(diagnostics) {}

  void check() {
    check_handles();
    check_groups();
    if (uses_several_ranks()) {
      check_time();
    }
  }

 private:
  void check_handles() {
    const std::vector<HandleUse> uses = handles_between_entities(graph_, roles_);
    // An entity that refers to one of a rank is on that rank only.
    for (bool changed = true; changed;) {
      changed = false;
      for (const HandleUse& use : uses) {
        Rank& rank = map_.rank_of[use.from->entity];
        if (rank == RankMap::kEach && map_.rank_of[use.to] != RankMap::kEach) {
          rank = map_.rank_of[use.to];
          changed = true;
        }
      }
    }
    for (const HandleUse& use : uses) {
      if (!map_.together(use.from->entity, use.to)) {
        report(use);
      }
    }
  }

  void report(const HandleUse& use) {
    const GraphComponent& target = graph_.components[use.reference->target];
    Diagnostic& diagnostic = diagnostics_.add(
        DiagnosticCode::RankHandle, *use.reference->value,
        called(graph_, *use.from) + " on rank " + rank_text(use.from->entity) + " refers to " +
            called(graph_, target) + " on rank " + rank_text(use.to),
        "place both on one rank: processes share no components");
    diagnostic.related.push_back({target.where, called(graph_, target) + " is here"});
  }

  void check_groups() {
    for (const EntityGroup& group : graph_.groups) {
      if (group.name == kDefaultGroup || group.resources.empty()) {
        continue;
      }
      const auto apart = std::ranges::find_if(group.members, [&](EntityId member) {
        return !map_.together(first_placed(group), member);
      });
      if (apart != group.members.end()) {
        const GraphEntity& entity = graph_.entities[*apart];
        const GraphEntity& first = graph_.entities[first_placed(group)];
        diagnostics_.add(DiagnosticCode::RankGroup, entity.where, length_of(entity.name),
                         in_quotes(entity.name) + " is on rank " + rank_text(*apart) + ", and " +
                             in_quotes(first.name) + " of the same group " + in_quotes(group.name) +
                             " on rank " + rank_text(first.id),
                         "a group shares resources: place its entities on one rank");
      }
    }
  }

  /// The first member that is on one rank, or else the first.
  [[nodiscard]] EntityId first_placed(const EntityGroup& group) const {
    const auto placed = std::ranges::find_if(
        group.members, [&](EntityId member) { return map_.rank_of[member] != RankMap::kEach; });
    return placed != group.members.end() ? *placed : group.members.front();
  }

  [[nodiscard]] bool uses_several_ranks() const {
    Rank first = RankMap::kEach;
    return std::ranges::any_of(map_.rank_of, [&](Rank rank) {
      if (first == RankMap::kEach) {
        first = rank;
      }
      return rank != RankMap::kEach && rank != first;
    });
  }

  /// Time that schedulers make themselves is another one on each rank.
  void check_time() {
    for (const GraphComponent& component : graph_.components) {
      const bool is_clock = roles_.has(component, Role::SimulatedClock);
      if (is_clock || roles_.has(component, Role::EpochScheduler)) {
        diagnostics_.add(
            DiagnosticCode::RankClock, component.type_location,
            component.written != 0 ? component.written : length_of(component.type_name),
            called(graph_, component) +
                (is_clock
                     ? " goes on by the ticks of one process, but the entities are on several ranks"
                     : " runs the epochs of one process, but the entities are on several ranks"),
            is_clock ? "take gxr::RealtimeClock, or one rank"
                     : "take another scheduler, or one rank");
      }
    }
  }

  [[nodiscard]] std::string rank_text(EntityId entity) const {
    return std::to_string(map_.rank_of[entity]);
  }

  const Graph& graph_;
  Roles roles_;
  RankMap& map_;
  Diagnostics& diagnostics_;
};

void collect_entities(const PlanBlock& block, std::vector<EntityId>& entities) {
  for (const auto& item : block.items) {
    if (const auto* const step = std::get_if<PlanStep>(&item)) {
      entities.push_back(step->entity);
    } else {
      for (const PlanBlock& alternative : std::get<PlanBranch>(item).alternatives) {
        collect_entities(alternative, entities);
      }
    }
  }
}

}  // namespace

void check_ranks(const Graph& graph, const TypeCatalog& catalog, RankMap& map,
                 Diagnostics& diagnostics) {
  RankRules(graph, catalog, map, diagnostics).check();
}

void check_regions_of_ranks(const Plan& plan, const RankMap& map, Diagnostics& diagnostics) {
  for (const Region& region : plan.regions) {
    std::vector<EntityId> entities;
    if (region.graph) {
      collect_entities(region.body, entities);
    }
    const auto apart = std::ranges::find_if(
        entities, [&](EntityId entity) { return !map.together(entities.front(), entity); });
    if (apart != entities.end()) {
      const GraphEntity& entity = plan.graph->entities[*apart];
      const GraphEntity& first = plan.graph->entities[entities.front()];
      diagnostics.add(DiagnosticCode::RankRegion, entity.where, length_of(entity.name),
                      in_quotes(entity.name) + " is on rank " +
                          std::to_string(map.rank_of[entity.id]) + ", and " +
                          in_quotes(first.name) + " of the same CUDA graph on rank " +
                          std::to_string(map.rank_of[first.id]),
                      "place the operators of " + in_quotes(region.name) +
                          " on one rank, or make a CUDA graph of each rank");
    }
  }
}

}  // namespace gxr

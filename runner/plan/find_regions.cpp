#include "plan/find_regions.hpp"

#include <algorithm>
#include <set>
#include <utility>

#include "graph/text.hpp"
#include "plan/connected_regions.hpp"
#include "plan/default_device.hpp"

namespace gxr {
namespace {

std::string name_of(const Graph& graph, const GraphComponent& executor) {
  return executor.name.empty() ? graph.entity_of(executor).name : executor.name;
}

class Finder {
 public:
  Finder(const WorkGraph& work, Diagnostics& diagnostics) : work_(work), diagnostics_(diagnostics) {
    found_.region_of.assign(work.entities.size(), kNone);
    found_.reasons.resize(work.entities.size());
    named_by_.resize(work.entities.size());
  }

  /// Makes the region of an executor that names its entities.
  void add_named(const GraphExecutorEntry& executor, const GraphOptions& options) {
    if (executor.entities.empty() && executor.component->find("entities")->value->size() > 0) {
      return;  // none of the names is known, which was reported
    }
    const auto region = static_cast<std::uint32_t>(found_.regions.size());
    RegionMembers members{
        new_name(name_of(work_.graph, *executor.component)), executor.component, options, {}};
    for (const NamedEntity& named : executor.entities) {
      if (found_.region_of[named.entity] != kNone) {
        report_second(named);
        continue;
      }
      found_.region_of[named.entity] = region;
      found_.reasons[named.entity] = in_quotes(members.name) + " names it";
      named_by_[named.entity] = named.name;
      members.entities.push_back(named.entity);
    }
    if (members.entities.empty() && !executor.entities.empty()) {
      return;  // all are in other regions, which was reported
    }
    std::ranges::sort(members.entities);
    found_.regions.push_back(std::move(members));
  }

  /// An entity that no executor names belongs to the region of the branch that it is in.
  void add_branches() {
    for (std::uint32_t region = 0; region < found_.regions.size(); ++region) {
      add_branches(region, found_.regions[region].entities);
      std::ranges::sort(found_.regions[region].entities);
    }
  }

  /// Reports what keeps the entities of named regions out of them.
  void check_named() {
    std::vector<CaptureObstacle> obstacles;
    for (std::uint32_t region = 0; region < found_.regions.size(); ++region) {
      const RegionMembers& members = found_.regions[region];
      for (const EntityId entity : members.entities) {
        find_obstacles(work_, entity, members.options.host_driven, obstacles);
      }
      find_obstacles_inside(work_, found_.region_of, region, members.entities, members.options.mode,
                            obstacles);
      if (obstacles.empty()) {
        check_empty(members);
        check_way_back(region);
      }
      for (const CaptureObstacle& obstacle : obstacles) {
        report(obstacle, members);
      }
      obstacles.clear();
    }
  }

  /// Makes regions of all connected sets of what can be captured and is not named.
  void add_connected(const std::string& name, const GraphComponent* executor,
                     const GraphOptions& options, const std::string& reason) {
    std::vector<bool> candidate = find_candidates(options.host_driven);
    std::vector<std::vector<EntityId>> sets;
    RegionOf region_of;
    do {
      sets = connected_regions(work_, found_.region_of, candidate);
      region_of = found_.region_of;
      for (std::size_t i = 0; i < sets.size(); ++i) {
        for (const EntityId entity : sets[i]) {
          region_of[entity] = static_cast<std::uint32_t>(found_.regions.size() + i);
        }
      }
    } while (drop_what_cannot(sets, region_of, options.mode, candidate));
    for (std::vector<EntityId>& set : sets) {
      for (const EntityId entity : set) {
        found_.reasons[entity] = work_.at(entity).kind == WorkEntity::Kind::Passage
                                     ? "it passes on messages of what is capturable"
                                     : reason;
      }
      found_.regions.push_back({new_name(name), executor, options, std::move(set)});
    }
    found_.region_of = region_of;
    if (executor != nullptr && sets.empty()) {
      report_empty(*executor);
    }
  }

  /// For entities that were not asked for.
  void explain_rest() {
    for (EntityId entity = 0; entity < work_.entities.size(); ++entity) {
      if (found_.reasons[entity].empty() && work_.at(entity).kind != WorkEntity::Kind::Idle) {
        found_.reasons[entity] = "no GraphExecutor names it";
      }
    }
  }

  RegionSearch take() { return std::move(found_); }

 private:
  /// A branch that has something in a region, or is decided there, is in it as a whole.
  void add_branches(std::uint32_t region, std::vector<EntityId>& members) {
    const auto inside = [&](EntityId entity) { return found_.region_of[entity] == region; };
    bool grown = true;
    while (std::exchange(grown, false)) {
      for (const Branch& branch : work_.branches.all()) {
        const bool here = (branch.selector != kNone && inside(work_.entity_of(branch.selector))) ||
                          std::ranges::any_of(branch.alternatives, [&](const auto& body) {
                            return std::ranges::any_of(body, inside);
                          });
        for (const std::vector<EntityId>& body : branch.alternatives) {
          for (const EntityId entity : body) {
            if (here && found_.region_of[entity] == kNone) {
              found_.region_of[entity] = region;
              found_.reasons[entity] =
                  called(work_.graph, work_.graph.components[branch.component]) + " names it";
              named_by_[entity] = branch.names.at(entity);
              members.push_back(entity);
              grown = true;
            }
          }
        }
      }
    }
  }

  std::string new_name(const std::string& wish) {
    std::string name = wish;
    for (std::size_t i = 2; !names_.insert(name).second; ++i) {
      name = wish + "." + std::to_string(i);
    }
    return name;
  }

  void report_second(const NamedEntity& named) {
    const RegionMembers& first = found_.regions[found_.region_of[named.entity]];
    diagnostics_
        .add(DiagnosticCode::EntityInTwoRegions, *named.name,
             called(work_.graph.entities[named.entity]) + " is in CUDA graph " +
                 in_quotes(first.name) + " already",
             "name it in one GraphExecutor only")
        .related.push_back({named_by_[named.entity]->location(), "named first here"});
  }

  void report(const CaptureObstacle& obstacle, const RegionMembers& members) {
    Diagnostic& diagnostic = diagnostics_.add(obstacle.code, obstacle.where, obstacle.length,
                                              called(work_.graph.entities[obstacle.entity]) +
                                                  " cannot be a part of CUDA graph " +
                                                  in_quotes(members.name) + ": " + obstacle.reason,
                                              obstacle.hint);
    if (const Value* name = named_by_[obstacle.entity]) {
      diagnostic.related.push_back({name->location(), "put into the graph here"});
    }
  }

  void report_empty(const GraphComponent& executor) {
    diagnostics_.add(DiagnosticCode::RegionEmpty, executor.where, where_length(executor),
                     called(work_.graph, executor) + " has no capturable operator to run",
                     "'gxr plan --executor auto' says why each entity is not in a graph");
  }

  void check_empty(const RegionMembers& members) {
    const bool any = std::ranges::any_of(members.entities, [&](EntityId entity) {
      return work_.at(entity).kind == WorkEntity::Kind::Operator;
    });
    if (!any) {
      report_empty(*members.declared_by);
    }
  }

  void check_way_back(std::uint32_t region) {
    const std::vector<EntityId> way = way_back(work_, found_.region_of, region);
    if (way.empty()) {
      return;
    }
    const RegionMembers& members = found_.regions[region];
    std::string text;
    for (const EntityId entity : way) {
      text += (text.empty() ? "" : " -> ") + work_.graph.entities[entity].name;
    }
    const Value* name = named_by_[way.back()];
    Diagnostic& diagnostic = diagnostics_.add(
        DiagnosticCode::RegionWaitsForItself, *name,
        "CUDA graph " + in_quotes(members.name) + " waits for its own result: " + text,
        "name the entities on the way, too, or make two graphs, one in front of them and one "
        "behind");
    diagnostic.related.push_back(
        {work_.graph.entities[way[1]].where, "this entity on the way is not in the graph"});
  }

  void leave_out(EntityId entity, const std::string& reason, std::vector<bool>& candidate) {
    candidate[entity] = false;
    found_.reasons[entity] = reason;
  }

  std::vector<bool> find_candidates(bool host_driven) {
    std::vector<bool> candidate(work_.entities.size());
    const std::vector<bool> cyclic = on_cycles(work_, found_.region_of);
    std::vector<CaptureObstacle> obstacles;
    for (EntityId entity = 0; entity < work_.entities.size(); ++entity) {
      if (work_.at(entity).kind == WorkEntity::Kind::Idle || found_.region_of[entity] != kNone) {
        continue;
      }
      obstacles.clear();
      find_obstacles(work_, entity, host_driven, obstacles);
      candidate[entity] = true;
      if (!obstacles.empty()) {
        leave_out(entity, obstacles.front().reason, candidate);
      } else if (cyclic[entity]) {
        leave_out(entity, "it is on a cycle of connections", candidate);
      }
    }
    return candidate;
  }

  /// True when there was something, so that the sets have to be made anew.
  bool drop_what_cannot(const std::vector<std::vector<EntityId>>& sets, const RegionOf& region_of,
                        GraphMode mode, std::vector<bool>& candidate) {
    std::vector<CaptureObstacle> obstacles;
    bool dropped = false;
    for (std::size_t i = 0; i < sets.size(); ++i) {
      const auto is_operator = [&](EntityId e) {
        return work_.at(e).kind == WorkEntity::Kind::Operator;
      };
      if (std::ranges::none_of(sets[i], is_operator)) {
        for (const EntityId entity : sets[i]) {
          leave_out(entity, "no capturable operator is next to it", candidate);
        }
        dropped = true;
        continue;
      }
      find_obstacles_inside(work_, region_of, static_cast<std::uint32_t>(found_.regions.size() + i),
                            sets[i], mode, obstacles);
    }
    for (const CaptureObstacle& obstacle : obstacles) {
      leave_out(obstacle.entity, obstacle.reason, candidate);
    }
    return dropped || !obstacles.empty();
  }

  const WorkGraph& work_;
  Diagnostics& diagnostics_;
  RegionSearch found_;
  std::vector<const Value*> named_by_;  // by entity
  std::set<std::string> names_{"main"};
};

}  // namespace

RegionSearch find_regions(const WorkGraph& work, const std::vector<GraphExecutorEntry>& executors,
                          std::optional<GraphMode> mode, bool everywhere,
                          Diagnostics& diagnostics) {
  Finder finder(work, diagnostics);
  const auto with_mode = [&](GraphOptions options) {
    options.mode = mode.value_or(options.mode);
    return options;
  };
  for (const GraphExecutorEntry& executor : executors) {
    if (executor.names_entities) {
      finder.add_named(executor, with_mode(executor.options));
    }
  }
  finder.add_branches();
  finder.check_named();
  for (const GraphExecutorEntry& executor : executors) {
    if (!executor.names_entities) {
      const std::string name = name_of(work.graph, *executor.component);
      finder.add_connected(name, executor.component, with_mode(executor.options),
                           "it is capturable, and " + in_quotes(name) + " takes what is");
    }
  }
  if (everywhere) {
    GraphOptions options;
    options.device = default_device(work.graph);
    finder.add_connected("gpu", nullptr, with_mode(options), "it is capturable");
  }
  finder.explain_rest();
  return finder.take();
}

}  // namespace gxr

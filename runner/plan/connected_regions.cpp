#include "plan/connected_regions.hpp"

#include <algorithm>
#include <numeric>

#include "plan/strong_components.hpp"

namespace gxr {
namespace {

using Node = std::uint32_t;

/// The entities with every region as one node, numbered behind the entities.
class Contracted {
 public:
  Contracted(const WorkGraph& work, const RegionOf& region_of)
      : work_(work), region_of_(region_of), successors_(work.entities.size() + region_count()) {
    for (EntityId entity = 0; entity < work.entities.size(); ++entity) {
      for (const Link& link : work.at(entity).outgoing) {
        const Node target = node_of(work.entity_of(link.receiver));
        if (target != node_of(entity) || region_of[entity] == kNone) {
          successors_[node_of(entity)].push_back(target);
        }
      }
    }
  }

  [[nodiscard]] Node node_of(EntityId entity) const {
    return region_of_[entity] == kNone ? entity : node_of_region(region_of_[entity]);
  }
  [[nodiscard]] Node node_of_region(std::uint32_t region) const {
    return static_cast<Node>(work_.entities.size()) + region;
  }
  [[nodiscard]] const std::vector<std::vector<Node>>& successors() const { return successors_; }

 private:
  [[nodiscard]] std::size_t region_count() const {
    std::size_t count = 0;
    for (const std::uint32_t region : region_of_) {
      count = region == kNone ? count : std::max<std::size_t>(count, region + 1);
    }
    return count;
  }

  const WorkGraph& work_;
  const RegionOf& region_of_;
  std::vector<std::vector<Node>> successors_;
};

/// The stage of every node: all on a cycle have the same, others at least that of those in front.
std::vector<std::uint32_t> find_stages(const Contracted& nodes,
                                       const std::vector<bool>& candidate) {
  const auto& successors = nodes.successors();
  const StrongComponents parts = find_strong_components(successors);
  const auto chosen = [&](Node node) { return node < candidate.size() && candidate[node]; };
  std::vector<std::uint32_t> stage(parts.size.size());
  std::vector<std::vector<Node>> members(parts.size.size());
  for (Node node = 0; node < successors.size(); ++node) {
    members[parts.of[node]].push_back(node);
    stage[parts.of[node]] = chosen(node) ? 1 : stage[parts.of[node]];
  }
  for (std::size_t part = 0; part < members.size(); ++part) {
    for (const Node node : members[part]) {
      for (const Node target : successors[node]) {
        if (parts.of[target] != part) {
          const std::uint32_t step = chosen(node) != chosen(target) ? 1 : 0;
          stage[parts.of[target]] = std::max(stage[parts.of[target]], stage[part] + step);
        }
      }
    }
  }
  std::vector<std::uint32_t> by_node(successors.size());
  for (Node node = 0; node < successors.size(); ++node) {
    by_node[node] = stage[parts.of[node]];
  }
  return by_node;
}

/// Sets that grow together.
class DisjointSets {
 public:
  explicit DisjointSets(std::size_t count) : parent_(count) {
    std::iota(parent_.begin(), parent_.end(), Node{0});
  }
  Node find(Node node) {
    while (parent_[node] != node) {
      node = parent_[node] = parent_[parent_[node]];
    }
    return node;
  }
  /// The lesser root stays, so that a set is found by its first member.
  void join(Node a, Node b) {
    a = find(a);
    b = find(b);
    parent_[std::max(a, b)] = std::min(a, b);
  }

 private:
  std::vector<Node> parent_;
};

}  // namespace

std::vector<std::vector<EntityId>> connected_regions(const WorkGraph& work,
                                                     const RegionOf& region_of,
                                                     const std::vector<bool>& candidate) {
  const Contracted nodes(work, region_of);
  const std::vector<std::uint32_t> stage = find_stages(nodes, candidate);
  DisjointSets sets(work.entities.size());
  const auto join = [&](EntityId a, EntityId b) {
    if (candidate[a] && candidate[b] && stage[a] == stage[b]) {
      sets.join(a, b);
    }
  };
  for (EntityId entity = 0; entity < work.entities.size(); ++entity) {
    for (const Link& link : work.at(entity).outgoing) {
      const EntityId target = work.entity_of(link.receiver);
      join(entity, target);
    }
  }
  for (const Link& link : work.delayed) {
    join(work.entity_of(link.transmitter), work.entity_of(link.receiver));
  }
  for (const Branch& branch : work.branches.all()) {
    for (const auto& [entity, name] : branch.names) {
      join(branch.names.begin()->first, entity);
      if (branch.selector != kNone) {
        join(work.entity_of(branch.selector), entity);
      }
    }
  }
  std::vector<std::vector<EntityId>> found;
  std::vector<std::size_t> index(work.entities.size());
  for (EntityId entity = 0; entity < work.entities.size(); ++entity) {
    if (candidate[entity]) {
      const Node first = sets.find(entity);
      if (first == entity) {
        index[entity] = found.size();
        found.emplace_back();
      }
      found[index[first]].push_back(entity);
    }
  }
  return found;
}

std::vector<bool> on_cycles(const WorkGraph& work, const RegionOf& region_of) {
  const Contracted nodes(work, region_of);
  const StrongComponents parts = find_strong_components(nodes.successors());
  std::vector<bool> found(work.entities.size());
  for (EntityId entity = 0; entity < work.entities.size(); ++entity) {
    const std::vector<Node>& after = nodes.successors()[entity];
    found[entity] = region_of[entity] == kNone && (parts.size[parts.of[entity]] > 1 ||
                                                   std::ranges::find(after, entity) != after.end());
  }
  return found;
}

std::vector<EntityId> way_back(const WorkGraph& work, const RegionOf& region_of,
                               std::uint32_t region) {
  std::vector<EntityId> from(work.entities.size(), kNone);
  std::vector<EntityId> open;
  const auto follow = [&](EntityId entity) -> EntityId {
    for (const Link& link : work.at(entity).outgoing) {
      const EntityId target = work.entity_of(link.receiver);
      if (region_of[target] == region && region_of[entity] != region) {
        return target;
      }
      if (region_of[target] == region || from[target] != kNone) {
        continue;
      }
      from[target] = entity;
      open.push_back(target);
    }
    return kNone;
  };
  for (EntityId entity = 0; entity < work.entities.size(); ++entity) {
    if (region_of[entity] == region) {
      static_cast<void>(follow(entity));
    }
  }
  // Another region on the way is passed from any entry to any exit.
  for (std::size_t i = 0; i < open.size(); ++i) {
    const EntityId entity = open[i];
    EntityId end = follow(entity);
    if (end == kNone && region_of[entity] != kNone) {
      for (EntityId other = 0; other < work.entities.size() && end == kNone; ++other) {
        if (region_of[other] == region_of[entity] && from[other] == kNone) {
          from[other] = entity;
          open.push_back(other);
        }
      }
    }
    if (end != kNone) {
      std::vector<EntityId> way{end};
      for (EntityId at = entity; at != kNone; at = region_of[at] == region ? kNone : from[at]) {
        way.push_back(at);
      }
      std::ranges::reverse(way);
      return way;
    }
  }
  return {};
}

}  // namespace gxr

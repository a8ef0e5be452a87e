#include "plan/block_order.hpp"

#include <algorithm>
#include <map>
#include <queue>
#include <set>
#include <tuple>
#include <utility>

#include "plan/strong_components.hpp"

namespace gxr {
namespace {

/// Numbers of entities, and of branches behind them.
using Node = std::uint32_t;

class Orderer {
 public:
  Orderer(const WorkGraph& work, const RegionOf& region_of, std::uint32_t region,
          const std::vector<bool>& polls)
      : work_(work), region_of_(region_of), region_(region), polls_(polls) {}

  /// Of the entities of one branch body, which is `depth` branches deep.
  std::vector<BlockItem> order(const std::vector<EntityId>& members, std::size_t depth) {
    std::map<Node, std::vector<EntityId>> inside;
    for (const EntityId entity : members) {
      inside[node_of(entity, depth)].push_back(entity);
    }
    std::map<Node, std::set<Node>> successors;
    std::map<Node, std::size_t> waits;
    const auto add_edge = [&](Node from, Node to) {
      if (from != to && inside.contains(from) && successors[from].insert(to).second) {
        ++waits[to];
      }
    };
    for (const auto& [node, entities] : inside) {
      waits.try_emplace(node, 0);
      for (const EntityId entity : entities) {
        for (const Link& link : work_.at(entity).incoming) {
          add_edge(before(link.transmitter, depth), node);
        }
        for (const BranchPlace& place : work_.branches.around(entity)) {
          const Branch& branch = work_.branches.at(place.branch);
          if (is_chosen(branch.kind)) {
            add_edge(before(branch.selector, depth), node);
          }
        }
      }
    }
    const auto later = [&](Node a, Node b) { return key(inside[a]) > key(inside[b]); };
    std::priority_queue<Node, std::vector<Node>, decltype(later)> ready(later);
    for (const auto& [node, count] : waits) {
      if (count == 0) {
        ready.push(node);
      }
    }
    std::vector<BlockItem> items;
    while (!ready.empty()) {
      const Node node = ready.top();
      ready.pop();
      items.push_back(item(node, inside[node], depth));
      for (const Node next : successors[node]) {
        if (--waits[next] == 0) {
          ready.push(next);
        }
      }
    }
    if (items.size() < inside.size()) {
      find_stuck(inside, successors);
    }
    return items;
  }

  std::vector<EntityId> stuck;

 private:
  /// Those that wait for each other, without those that only wait for them.
  void find_stuck(const std::map<Node, std::vector<EntityId>>& inside,
                  const std::map<Node, std::set<Node>>& successors) {
    std::map<Node, std::uint32_t> number;
    for (const auto& [node, entities] : inside) {
      number.emplace(node, static_cast<std::uint32_t>(number.size()));
    }
    std::vector<std::vector<std::uint32_t>> edges(number.size());
    for (const auto& [node, behind] : successors) {
      for (const Node next : behind) {
        edges[number.at(node)].push_back(number.at(next));
      }
    }
    const StrongComponents parts = find_strong_components(edges);
    for (const auto& [node, entities] : inside) {
      if (parts.size[parts.of[number.at(node)]] > 1) {
        stuck.insert(stuck.end(), entities.begin(), entities.end());
      }
    }
  }

  static constexpr Node kOutside = kNone;

  /// The node that stands for an entity in a branch body around it.
  [[nodiscard]] Node node_of(EntityId entity, std::size_t depth) const {
    const std::vector<BranchPlace>& around = work_.branches.around(entity);
    return around.size() == depth ? entity
                                  : static_cast<Node>(work_.entities.size()) + around[depth].branch;
  }
  [[nodiscard]] Node before(ComponentId transmitter, std::size_t depth) const {
    if (transmitter == kNone) {
      return kOutside;
    }
    const EntityId entity = work_.entity_of(transmitter);
    const bool is_near =
        region_of_[entity] == region_ && work_.branches.around(entity).size() >= depth;
    return is_near ? node_of(entity, depth) : kOutside;
  }
  /// Less comes first. Entities that are launched as a graph of their own come last: no other one
  /// waits for them within an iteration.
  [[nodiscard]] std::tuple<bool, bool, EntityId> key(const std::vector<EntityId>& entities) const {
    const EntityId first = entities.front();
    return {!polls_[first], work_.branches.launched_around(first) != kNone, first};
  }

  BlockItem item(Node node, const std::vector<EntityId>& entities, std::size_t depth) {
    if (node < work_.entities.size()) {
      return {node, kNone, {}};
    }
    const auto branch = static_cast<BranchId>(node - work_.entities.size());
    BlockItem made{kNone, branch, {}};
    for (std::uint32_t i = 0; i < work_.branches.at(branch).alternatives.size(); ++i) {
      std::vector<EntityId> in_list;
      std::ranges::copy_if(entities, std::back_inserter(in_list), [&](EntityId entity) {
        return work_.branches.around(entity)[depth].alternative == i;
      });
      made.alternatives.push_back(order(in_list, depth + 1));
    }
    return made;
  }

  const WorkGraph& work_;
  const RegionOf& region_of_;
  std::uint32_t region_;
  const std::vector<bool>& polls_;
};

}  // namespace

BlockOrder order_of_region(const WorkGraph& work, const RegionOf& region_of, std::uint32_t region,
                           const std::vector<EntityId>& members, const std::vector<bool>& polls) {
  Orderer orderer(work, region_of, region, polls);
  std::vector<BlockItem> items = orderer.order(members, 0);
  return {std::move(items), std::move(orderer.stuck)};
}

}  // namespace gxr

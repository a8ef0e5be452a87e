#pragma once

#include <cstdint>
#include <vector>

#include "plan/capture_rules.hpp"
#include "plan/work_graph.hpp"

namespace gxr {

/// An entity, or a branch with what runs in each of its lists.
struct BlockItem {
  EntityId entity = kNone;
  BranchId branch = kNone;
  std::vector<std::vector<BlockItem>> alternatives;
};

struct BlockOrder {
  std::vector<BlockItem> items;
  /// Entities that no order is for: branches as a whole, with these, wait for each other.
  std::vector<EntityId> stuck;
};

/// The entities of a region in an order in which they can run, where a branch runs as a whole, when
/// all that is in it can. Of those that are ready, one that polls for input, else the one that the
/// files name first. `polls`: by entity.
BlockOrder order_of_region(const WorkGraph& work, const RegionOf& region_of, std::uint32_t region,
                           const std::vector<EntityId>& members, const std::vector<bool>& polls);

}  // namespace gxr

#pragma once

#include <cstddef>
#include <vector>

#include "gxr/device_branch.hpp"
#include "plan/graph_region.hpp"

namespace gxr {

/// A step or a branch as a whole: what a region's CUDA graph is put together from.
struct RegionItem {
  StepId step = kNone;
  std::uint32_t branch = kNone;  ///< of GraphRegion::branches
  DeviceList list;               ///< where it stands; branches are counted among the items
  /// Items of the same list that end before; ascending, each once.
  std::vector<std::size_t> after;
};

/// All of a region, in an order in which they can run; a branch is in front of what stands in it.
std::vector<RegionItem> items_of(const GraphRegion& region);

}  // namespace gxr

#pragma once

#include <cstddef>
#include <vector>

#include "device/device_branch.hpp"
#include "plan/graph_region.hpp"

namespace gxr {

/// What a region's CUDA graph is put together from: a step, a branch as a whole, or a copy of what
/// the next run reads. One of the three is not kNone.
struct RegionItem {
  StepId step = kNone;
  BranchId branch = kNone;     ///< of GraphRegion::branches
  TensorId copied_to = kNone;  ///< a tensor that delays another one, not in its place
  DeviceList list = {};        ///< where it stands; branches are counted among the items
  /// Of a copy to or from a branch that is BranchLaunch::Sibling: its item; see DevicePiece.
  std::size_t crosses = DeviceList::kNoBranch;
  /// Items of the same list that end before; ascending, each once.
  std::vector<std::size_t> after = {};
};

/// All of a region, in an order in which they can run; a branch is in front of what stands in it,
/// copies are last.
std::vector<RegionItem> items_of(const GraphRegion& region);

}  // namespace gxr

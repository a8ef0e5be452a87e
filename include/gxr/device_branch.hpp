#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>

#include "gxr/tensor.hpp"

namespace gxr {

enum class BranchKind : std::uint8_t {
  If,      ///< the first list when the number is not 0, else the second, if there is one
  Switch,  ///< the list of that number, from 0; none for other numbers
  While,   ///< the one list, and again while the number is not 0
};

/// What is decided on the GPU in an iteration of a DeviceGraph or a DeviceLoop.
struct DeviceBranch {
  BranchKind kind = BranchKind::If;
  std::uint32_t lists = 1;  ///< of an If 1 or 2, of a While 1
  /// In device memory: one element that decides, read before the branch begins, of a While after
  /// each run of its list.
  const void* selector = nullptr;
  ElementType type = ElementType::Int32;  ///< of that element: a whole number
  std::uint64_t limit = 0;                ///< of a While: runs of its list; 0: no limit
  /// Of a While with a limit: 8 bytes of device memory for it alone.
  std::uint64_t* runs = nullptr;
};

/// A list of a branch; the graph itself when there is none.
struct DeviceList {
  static constexpr std::size_t kNoBranch = std::numeric_limits<std::size_t>::max();
  std::size_t branch = kNoBranch;  ///< its number among the pieces and branches of the graph
  std::uint32_t number = 0;

  [[nodiscard]] bool is_graph() const noexcept { return branch == kNoBranch; }
};

}  // namespace gxr

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
  Every,   ///< the one list, in every Nth iteration
};

/// How the list of an Every is launched by a loop that launches itself (GraphLoop::TailLaunch).
/// Other graphs run it in the iteration.
enum class BranchLaunch : std::uint8_t {
  InIteration,
  /// A graph of its own, launched when the iteration is done; the next one waits for it.
  FireAndForget,
  /// A graph of its own beside the next iterations. It reads copies that are made when it is
  /// launched, and what it has written is copied between two iterations when it has ended. When it
  /// still runs at its next turn, that is left out.
  Sibling,
};

/// Lists that one loop launches.
inline constexpr std::size_t kMostLaunchedBranches = 20;

/// What is decided on the GPU in an iteration of a DeviceGraph or a DeviceLoop.
struct DeviceBranch {
  BranchKind kind = BranchKind::If;
  std::uint32_t lists = 1;  ///< of an If 1 or 2, of a While and an Every 1
  /// In device memory: one element that decides, read before the branch begins, of a While after
  /// each run of its list. An Every has none.
  const void* selector = nullptr;
  ElementType type = ElementType::Int32;  ///< of that element: a whole number
  std::uint64_t limit = 0;                ///< of a While: runs of its list; 0: no limit
  /// Of a While with a limit: 8 bytes of device memory for it alone.
  std::uint64_t* runs = nullptr;
  /// Of an Every: its list runs in iterations `first`, `first` + `count`, ...; `count` is not 0.
  std::uint64_t count = 1;
  std::uint64_t first = 0;
  /// Of an Every, in device memory: the number of the iteration, from 0.
  const std::uint64_t* iteration = nullptr;
  BranchLaunch launch = BranchLaunch::InIteration;  ///< of an Every
};

/// A list of a branch; the graph itself when there is none.
struct DeviceList {
  static constexpr std::size_t kNoBranch = std::numeric_limits<std::size_t>::max();
  std::size_t branch = kNoBranch;  ///< its number among the pieces and branches of the graph
  std::uint32_t number = 0;

  [[nodiscard]] bool is_graph() const noexcept { return branch == kNoBranch; }
};

}  // namespace gxr

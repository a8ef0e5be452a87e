#pragma once

#include <cstddef>
#include <cstdint>

namespace gxr {

enum class BranchKind : std::uint8_t {
  If,      ///< the first body when the number is not 0, else the second, if there is one
  Switch,  ///< the body of that number, from 0; none for other numbers
  While,   ///< the one body, and again while the number is not 0
  Every,   ///< the one body, in every Nth iteration
};

/// How the body of an Every is launched by a loop that launches itself (GraphLoop::TailLaunch).
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

/// Branches whose bodies one loop launches.
inline constexpr std::size_t kMostLaunchedBranches = 20;

}  // namespace gxr

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/device_loop.hpp"
#include "iteration_layout.hpp"
#include "loop_nodes.hpp"

namespace gxr::cuda {

/// A graph of an iteration that is several.
struct Stage {
  std::size_t number = 0;  ///< branches that are decided before
  std::uint32_t body = 0;  ///< of the last of them: the one that is chosen; beyond all: none
  bool goes_on = false;    ///< the next iteration's first graph is behind it

  bool operator==(const Stage&) const = default;
};

/// An iteration as several graphs. Each but the last ends with the decision of a branch, which
/// launches the next one: the chosen body with all nodes up to the next decision. For long bodies,
/// that is faster than a conditional node.
class IterationStages {
 public:
  /// `branches`: those that divide it, in order; none: the iteration is one graph.
  IterationStages(const LoopMaterial& material, std::vector<NodeId> branches);

  [[nodiscard]] const std::vector<NodeId>& branches() const noexcept { return branches_; }
  /// All but the first one. `go_on`: also the last ones with the next iteration's first one behind.
  [[nodiscard]] std::vector<Stage> behind_first(bool go_on) const;
  /// Does the iteration end with this one?
  [[nodiscard]] bool is_last(const Stage& stage) const noexcept {
    return stage.number == branches_.size();
  }
  [[nodiscard]] Section section(const Stage& stage) const;

 private:
  [[nodiscard]] std::optional<std::size_t> place_of(NodeId branch) const;
  [[nodiscard]] bool has(const Stage& stage, NodeId number) const;

  const LoopNodes& nodes_;
  std::vector<NodeId> branches_;
  Section whole_;
};

/// The branches that are to divide the iteration: all that there are, or none. Each has to stand
/// between everything else, and in no other one; and a loop that launches itself must be allowed,
/// and faster. `unroll`: iterations in a round of another shape.
std::vector<NodeId> find_dividing_branches(const DeviceLoopOptions& options, const LoopNodes& nodes,
                                           std::uint32_t unroll);

}  // namespace gxr::cuda

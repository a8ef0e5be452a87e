#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/device_branch.hpp"
#include "graph_pieces.hpp"
#include "switched_lists.hpp"

namespace gxr::cuda {

/// How it is decided which list of a branch runs.
enum class Choosing : std::uint8_t {
  Conditional,  ///< by a conditional node
  Switched,     ///< by kernels that are switched on and off; see switched_lists.hpp
};

/// Puts pieces and branches into a graph, one after the other, in the order of their numbers.
///
/// A branch is a kernel that reads what decides and a conditional node behind it, whose bodies are
/// the lists. In a body of a While, behind all else, is a kernel that decides again.
///
/// Or it is a kernel that switches, and behind it, in the same graph, the kernels of all lists,
/// none of which is launched before it has ended. A kernel that is off still keeps the order: what
/// follows the branch follows the ends of all lists. They are known when the lists are there, which
/// is before anything follows the branch.
class GraphLayout {
 public:
  GraphLayout() = default;
  /// `graph`: the one that will be instantiated, `root`, or a body of a conditional node in it.
  /// `attributes`: of the kernels that decide.
  GraphLayout(cudaGraph_t root, cudaGraph_t graph, const PieceAttributes& attributes);

  /// Where the pieces of a list belong.
  [[nodiscard]] cudaGraph_t graph_of(const DeviceList& list) const;
  /// The next one: its nodes and edges are there. `after`: as in DevicePiece.
  void note(GraphPiece piece, const std::vector<std::size_t>& after, const DeviceList& list);
  /// The next one, whose nodes are in graph_of(list): puts it behind `after`, or, if it follows
  /// nothing, behind `begin`, which may be null.
  void add(GraphPiece piece, const std::vector<std::size_t>& after, const DeviceList& list,
           const GraphPiece* begin = nullptr);
  /// The same with a branch. One that is switched is no While, its lists have no branches, and its
  /// pieces are such as count_switchable() counts.
  void add_branch(const DeviceBranch& branch, const std::vector<std::size_t>& after,
                  const DeviceList& list, const GraphPiece* begin = nullptr,
                  Choosing choosing = Choosing::Conditional);
  /// Has what follows the number wait for `end` instead, which is behind it.
  void extend(std::size_t number, const GraphPiece& end) {
    items_.at(number).piece.last = end.last;
  }
  /// Ends all lists. Call it when nothing more is added.
  void close();

  [[nodiscard]] const GraphPiece& piece(std::size_t number) const {
    return items_.at(number).piece;
  }
  /// Where it stands.
  [[nodiscard]] const DeviceList& list(std::size_t number) const { return items_.at(number).list; }
  /// Has another one been put behind it?
  [[nodiscard]] bool is_followed(std::size_t number) const { return items_.at(number).is_followed; }
  /// Bodies of the conditional nodes.
  [[nodiscard]] const std::vector<cudaGraph_t>& bodies() const noexcept { return bodies_; }
  /// For SwitchedLists.
  [[nodiscard]] const std::vector<SwitchedBranch>& switched() const noexcept { return switched_; }

 private:
  struct Item {
    GraphPiece piece;
    DeviceList list;
    bool is_followed = false;
    // Of a branch:
    DeviceBranch branch;
    cudaGraphConditionalHandle handle{};
    std::vector<cudaGraph_t> lists;
    std::optional<std::size_t> switched;  // its place among those
  };
  [[nodiscard]] GraphPiece add_choice(cudaGraph_t graph, const DeviceBranch& branch,
                                      cudaGraphConditionalHandle handle, bool again) const;
  /// Is it in a branch that is switched?
  [[nodiscard]] bool is_switched(const DeviceList& list) const {
    return !list.is_graph() && items_.at(list.branch).switched.has_value();
  }
  void add_to_switched(const GraphPiece& piece, const DeviceList& list, bool is_first);
  void find_ends(std::size_t branch);

  cudaGraph_t root_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  PieceAttributes attributes_;
  std::vector<Item> items_;
  std::vector<cudaGraph_t> bodies_;
  std::vector<SwitchedBranch> switched_;
};

/// What a kernel decides a branch by; `again`: in the body of a While. Without the condition.
Choice choice_of(const DeviceBranch& branch, bool again);

/// What a conditional node of a graph is run by.
cudaGraphConditionalHandle make_handle(cudaGraph_t root, unsigned initial);
/// Adds a conditional node behind `after`; its bodies, which belong to it.
struct ConditionalNode {
  cudaGraphNode_t node = nullptr;
  std::vector<cudaGraph_t> bodies;
};
ConditionalNode add_conditional(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                                cudaGraphConditionalHandle handle,
                                cudaGraphConditionalNodeType type, std::uint32_t bodies);

}  // namespace gxr::cuda

#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <vector>

#include "device/device_graph.hpp"
#include "graph_pieces.hpp"
#include "switched_bodies.hpp"

namespace gxr::cuda {

/// A branch, and the memory with the number that decides.
struct BoundBranch {
  DeviceBranch branch;
  BranchMemory memory;
};

/// How it is decided which body of a branch runs.
enum class Choosing : std::uint8_t {
  Conditional,  ///< by a conditional node
  Switched,     ///< by kernels that are switched on and off; see switched_bodies.hpp
};

/// Has those branches of `nodes` switched that `can_switch(number)` allows. True when there is one.
template <class Nodes, class CanSwitch>
bool switch_branches(Nodes& nodes, const CanSwitch& can_switch) {
  bool any = false;
  for (NodeId number = 0; number < nodes.size(); ++number) {
    const bool switches = can_switch(number);
    nodes[number].choosing = switches ? Choosing::Switched : Choosing::Conditional;
    any = any || switches;
  }
  return any;
}

/// Puts the nodes of a program into a graph, one after the other, in their order.
///
/// A branch is a kernel that reads the number that decides and a conditional node behind it, whose
/// bodies are the branch bodies. In a body of a While, behind all else, is a kernel that decides
/// again.
///
/// Or it is a kernel that switches, and behind it, in the same graph, the kernels of all bodies,
/// none of which is launched before it has ended. A kernel that is off still keeps the order: nodes
/// behind the branch follow the ends of all bodies. The ends are known when the bodies are there,
/// before any node is put behind the branch.
class GraphLayout {
 public:
  GraphLayout() = default;
  /// `graph`: the one that will be instantiated, `root`, or a body of a conditional node in it.
  /// `piece_options`: of the kernels that decide.
  GraphLayout(cudaGraph_t root, cudaGraph_t graph, const PieceOptions& piece_options);

  /// The graph that the nodes of a body belong to.
  [[nodiscard]] cudaGraph_t graph_of(const DeviceBody& body) const;
  /// The next one: its CUDA nodes and edges are there. `after`: as in DeviceNode.
  void note(GraphPiece piece, const std::vector<NodeId>& after, const DeviceBody& body);
  /// The next one, whose CUDA nodes are in graph_of(body): puts it behind `after`, or, if it
  /// follows nothing, behind `begin`, which may be null.
  void add(GraphPiece piece, const std::vector<NodeId>& after, const DeviceBody& body,
           const GraphPiece* begin = nullptr);
  /// The same with a branch. One that is switched is no While, its bodies have no branches, and
  /// their nodes are such as count_switched_off() counts.
  void add_branch(const BoundBranch& branch, const std::vector<NodeId>& after,
                  const DeviceBody& body, const GraphPiece* begin = nullptr,
                  Choosing choosing = Choosing::Conditional);
  /// Has the nodes behind this one wait for `end` instead, which is behind it.
  void extend(std::size_t number, const GraphPiece& end) {
    items_.at(number).piece.last = end.last;
  }
  /// Ends all bodies. Call it when nothing more is added.
  void close();

  [[nodiscard]] const GraphPiece& piece(std::size_t number) const {
    return items_.at(number).piece;
  }
  /// The body that a node stands in.
  [[nodiscard]] const DeviceBody& body(NodeId node) const { return items_.at(node).body; }
  /// Has another one been put behind it?
  [[nodiscard]] bool is_followed(std::size_t number) const { return items_.at(number).is_followed; }
  /// Bodies of the conditional nodes.
  [[nodiscard]] const std::vector<cudaGraph_t>& bodies() const noexcept { return bodies_; }
  /// For SwitchedBodies.
  [[nodiscard]] const std::vector<SwitchedBranch>& switched() const noexcept { return switched_; }

 private:
  struct Item {
    GraphPiece piece;
    DeviceBody body;
    bool is_followed = false;
    // Of a branch:
    BoundBranch branch;
    cudaGraphConditionalHandle handle{};
    std::vector<cudaGraph_t> bodies;
    std::optional<std::size_t> switched;  // its place among those
  };
  [[nodiscard]] GraphPiece add_choice(cudaGraph_t graph, const BoundBranch& branch,
                                      cudaGraphConditionalHandle handle, bool again) const;
  /// Is it in a branch that is switched?
  [[nodiscard]] bool is_switched(const DeviceBody& body) const {
    return !body.is_iteration() && items_.at(body.branch).switched.has_value();
  }
  void add_to_switched(const GraphPiece& piece, const DeviceBody& body, bool is_first);
  void find_ends(NodeId branch);

  cudaGraph_t root_ = nullptr;
  cudaGraph_t graph_ = nullptr;
  PieceOptions piece_options_;
  std::vector<Item> items_;
  std::vector<cudaGraph_t> bodies_;
  std::vector<SwitchedBranch> switched_;
};

/// A graph, and the nodes that have been put into it.
struct LaidGraph {
  GraphHandle graph;
  GraphLayout layout;
};

/// A branch as a kernel decides it; `again`: in the body of a While. Without the condition.
Choice choice_of(const BoundBranch& branch, bool again);

/// The condition of a conditional node of a graph.
cudaGraphConditionalHandle make_handle(cudaGraph_t root, unsigned initial);
/// A conditional node, and its bodies, which belong to it.
struct ConditionalNode {
  cudaGraphNode_t node = nullptr;
  std::vector<cudaGraph_t> bodies;
};
/// Adds one behind `after`.
ConditionalNode add_conditional(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                                cudaGraphConditionalHandle handle,
                                cudaGraphConditionalNodeType type, std::uint32_t bodies);

}  // namespace gxr::cuda

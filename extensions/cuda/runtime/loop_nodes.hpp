#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "device/device_graph.hpp"
#include "device/device_loop.hpp"
#include "graph_layout.hpp"
#include "graph_pieces.hpp"
#include "l2_cache.hpp"
#include "owned.hpp"
#include "switched_bodies.hpp"

namespace gxr::cuda {

/// A DeviceNode of a loop, and the CUDA nodes that were captured for it.
struct LoopNode {
  DeviceNode node;
  // Of an operator or a copy:
  GraphHandle captured = {};
  DeviceRange l2_range = {};
  L2Reservation in_l2 = {};
  // Of a branch:
  BranchMemory memory = {};
  Choosing choosing = Choosing::Conditional;

  [[nodiscard]] bool is_branch() const noexcept { return node.kind == DeviceNode::Kind::Branch; }
  [[nodiscard]] BoundBranch branch() const { return {node.branch, memory}; }
};

/// The nodes of a loop in the order of their numbers, each captured alone. Graphs of the loop get
/// copies.
class LoopNodes {
 public:
  /// `stream`: to capture from. `piece_options`: of kernels that are none of the operators'.
  LoopNodes(const DeviceLoopOptions& options, StreamRef stream, const PieceOptions& piece_options);

  // See DeviceLoop.
  NodeId add(const CapturedWork& work, const DeviceNode& node, const DeviceRange& l2_range);
  void prepare(const CapturedWork& work) const;
  NodeId add_branch(const BranchMemory& memory, const DeviceNode& node);
  void replace(NodeId node, const CapturedWork& work);
  void replace_by_copy(NodeId node, const DeviceCopy& copy);

  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  [[nodiscard]] const LoopNode& operator[](NodeId number) const { return nodes_[number]; }
  [[nodiscard]] auto begin() const noexcept { return nodes_.begin(); }
  [[nodiscard]] auto end() const noexcept { return nodes_.end(); }

  /// The nodes in all bodies of a branch.
  [[nodiscard]] std::vector<BodyPiece> in_bodies_of(NodeId branch) const;
  /// Has the bodies of all branches switched that may be. False: of none.
  [[nodiscard]] bool choose_switched();
  void choose_conditional();
  /// Leaves all as it is: a loop that does not end uses it.
  void release() noexcept;

 private:
  [[nodiscard]] bool can_switch(NodeId number) const;

  int device_;
  const DevicePartition* partition_;
  StreamRef stream_;
  PieceOptions piece_options_;
  std::vector<LoopNode> nodes_;
};

/// The options of a node's piece: `own` is of kernels that are none of the operators'.
PieceOptions piece_options_of(const LoopNode& node, const PieceOptions& own);
/// Copies the CUDA nodes of an operator or a copy into a graph.
GraphPiece place_node(const LoopNode& node, cudaGraph_t graph, const PieceOptions& own);

}  // namespace gxr::cuda

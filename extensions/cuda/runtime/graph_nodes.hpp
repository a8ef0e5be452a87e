#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "device/device_graph.hpp"
#include "graph_layout.hpp"
#include "graph_pieces.hpp"
#include "measured_records.hpp"
#include "owned.hpp"
#include "retired_graphs.hpp"

namespace gxr::cuda {

/// The capture of an operator or a copy: a graph, or, with memory nodes, the work.
struct NodeCapture {
  GraphHandle graph;       ///< copied; the copies need the objects that are tied to it
  CapturedWork work;       ///< captured straight into each graph that has it
  bool stands_in = false;  ///< for what was captured, and will be again
};

/// A node, and its CUDA nodes as they were captured.
struct GraphNode {
  DeviceNode node;
  // Of an operator or a copy:
  NodeCapture source;
  std::optional<NodeCapture> replacement;  // its CUDA nodes are wanted from the next update() on
  GraphHandle set_aside;                   // what `source` stands in for: keeps what it was given
  PieceOptions piece_options;              // of its copies in the graph, not of `source`
  /// The n-th CUDA node of `source`, if that is a graph, is the n-th of the piece in the
  /// instantiated graph.
  bool paired = true;
  bool enabled = true;  // when launched
  // Of a branch:
  BranchMemory memory;
  Choosing choosing = Choosing::Conditional;

  [[nodiscard]] bool is_branch() const noexcept { return node.kind == DeviceNode::Kind::Branch; }
  [[nodiscard]] BoundBranch branch() const { return {node.branch, memory}; }
  [[nodiscard]] const NodeCapture& wanted() const noexcept {
    return replacement ? *replacement : source;
  }
  [[nodiscard]] bool has_memory_nodes() const noexcept { return wanted().work != nullptr; }
};

/// The nodes of a RuntimeGraph, each captured alone, and what is wanted of them in the next graph.
class GraphNodes {
 public:
  /// `stream`: to capture from.
  GraphNodes(const DeviceGraphOptions& options, StreamRef stream);

  // See DeviceNodes and DeviceGraph; the device and the partition are the current ones.
  NodeId add(const CapturedWork& work, const DeviceNode& node, const DeviceRange& l2_range);
  NodeId add_branch(const BranchMemory& memory, const DeviceNode& node);
  void replace(NodeId node, const CapturedWork& work);
  void replace_by_copy(NodeId node, const DeviceCopy& copy);
  void keep(std::shared_ptr<const void> object) { kept_.push_back(std::move(object)); }

  [[nodiscard]] std::size_t size() const noexcept { return nodes_.size(); }
  [[nodiscard]] GraphNode& at(NodeId number) { return nodes_.at(number); }
  [[nodiscard]] auto begin() const noexcept { return nodes_.begin(); }
  [[nodiscard]] auto end() const noexcept { return nodes_.end(); }
  [[nodiscard]] bool has_branches() const noexcept { return has_branches_; }
  [[nodiscard]] bool has_memory_nodes() const noexcept;
  /// Of kernels that are none of the operators'.
  [[nodiscard]] PieceOptions own_piece_options() const;

  /// A graph without nodes.
  [[nodiscard]] LaidGraph begin_graph() const;
  /// Destroys one that is given up. CUDA waits for the end of all loops when it has conditional
  /// nodes, and might when it has kernels that are switched; so that is put off.
  void destroy(GraphHandle& graph) const noexcept;
  /// Lays what is wanted of a node into a graph, behind those of lower numbers.
  void lay(NodeId number, LaidGraph& graph, Stamps* stamps = nullptr);
  /// Has the bodies of all branches switched that may be. False: of none.
  [[nodiscard]] bool choose_switched();
  void choose_conditional();

  /// Do all wanted captures differ from the nodes of the instantiated graph in nothing but the
  /// parameters? Once this is false for a node, it stays false until the next instantiation.
  [[nodiscard]] bool pair_wanted();
  /// Another graph has been instantiated.
  void note_instantiated();
  /// Switches off what is, in a graph that was just instantiated or updated.
  void disable(cudaGraphExec_t exec, const GraphLayout& layout) const;
  /// The graph has all that was wanted; `old` gets the captures that no node needs any more.
  void take_over(RetiredGraph& old);

 private:
  [[nodiscard]] PieceOptions piece_options_of(const GraphTraits& traits,
                                              const DeviceRange& l2_range) const;
  [[nodiscard]] NodeCapture capture_alone(const CapturedWork& work, const DeviceBody& body);
  void lay_captured(const GraphNode& node, LaidGraph& graph, const GraphPiece* begin);
  void tie_kept(cudaGraph_t graph);
  [[nodiscard]] bool can_switch(NodeId number) const;

  DeviceGraphOptions options_;
  bool programmatic_edges_;
  StreamRef stream_;
  std::vector<GraphNode> nodes_;
  bool has_branches_ = false;
  std::vector<std::shared_ptr<const void>> kept_;  // by the work that is captured now
};

}  // namespace gxr::cuda

#include "graph_nodes.hpp"

#include <algorithm>
#include <utility>

#include "graph_changes.hpp"
#include "user_objects.hpp"

namespace gxr::cuda {

GraphNodes::GraphNodes(const DeviceGraphOptions& options, StreamRef stream)
    : options_(options),
      programmatic_edges_(has_programmatic_edges(options.device)),
      stream_(stream) {}

NodeId GraphNodes::add(const CapturedWork& work, const DeviceNode& node,
                       const DeviceRange& l2_range) {
  GraphNode& added = nodes_.emplace_back();
  added.node = node;
  added.piece_options = piece_options_of(node.traits, l2_range);
  added.source = capture_alone(work, node.body);
  return nodes_.size() - 1;
}

NodeId GraphNodes::add_branch(const BranchMemory& memory, const DeviceNode& node) {
  GraphNode& added = nodes_.emplace_back();
  added.node = node;
  added.memory = memory;
  has_branches_ = true;
  return nodes_.size() - 1;
}

void GraphNodes::replace(NodeId node, const CapturedWork& work) {
  GraphNode& replaced = nodes_.at(node);
  replaced.replacement = capture_alone(work, replaced.node.body);
}

void GraphNodes::replace_by_copy(NodeId node, const DeviceCopy& copy) {
  if (copy.bytes > 0) {
    replace(node, copy_work(copy));
  } else {
    nodes_.at(node).replacement = NodeCapture{make_empty_piece(), nullptr};
  }
  nodes_.at(node).replacement->stands_in = true;
}

bool GraphNodes::has_memory_nodes() const noexcept {
  return std::ranges::any_of(nodes_, &GraphNode::has_memory_nodes);
}

PieceOptions GraphNodes::own_piece_options() const {
  GraphTraits own;
  own.priority = options_.priority;
  return piece_options_of(own, {});
}

PieceOptions GraphNodes::piece_options_of(const GraphTraits& traits,
                                          const DeviceRange& l2_range) const {
  return {traits,
          l2_range,
          options_.device,
          options_.priority,
          programmatic_edges_,
          options_.memory_sync_domain};
}

void GraphNodes::tie_kept(cudaGraph_t graph) {
  for (std::shared_ptr<const void>& object : std::exchange(kept_, {})) {
    tie(graph, std::move(object));
  }
}

/// Shows whether the work can be a part of a graph, and how.
NodeCapture GraphNodes::capture_alone(const CapturedWork& work, const DeviceBody& body) {
  kept_.clear();
  GraphHandle graph =
      capture_piece(stream_, work, body.is_iteration() ? PiecePlace::Graph : PiecePlace::Branch);
  tie_kept(graph.get());
  if (!cuda::has_memory_nodes(graph.get())) {
    return {std::move(graph), nullptr};
  }
  return {{}, work};
}

LaidGraph GraphNodes::begin_graph() const {
  LaidGraph begun{make_graph(), {}};
  begun.layout = GraphLayout(begun.graph.get(), begun.graph.get(), own_piece_options());
  return begun;
}

void GraphNodes::destroy(GraphHandle& graph) const noexcept {
  if (has_branches_) {
    destroy_when_may_wait(graph);
  }
}

void GraphNodes::lay(NodeId number, LaidGraph& graph, Stamps* stamps) {
  const GraphNode& node = nodes_[number];
  const GraphPiece* const begin = stamps == nullptr ? nullptr : &stamps->begin(node.node.body);
  if (node.is_branch()) {
    graph.layout.add_branch(node.branch(), node.node.after, node.node.body, begin,
                            stamps == nullptr ? node.choosing : Choosing::Conditional);
  } else if (!node.has_memory_nodes()) {
    graph.layout.add(copy_piece(node.wanted().graph.get(), graph.layout.graph_of(node.node.body),
                                node.piece_options),
                     node.node.after, node.node.body, begin);
  } else {
    lay_captured(node, graph, begin);
  }
  if (stamps != nullptr) {
    stamps->add_behind(graph.layout, number);
  }
}

/// Of a node whose CUDA nodes cannot be copied.
void GraphNodes::lay_captured(const GraphNode& node, LaidGraph& graph, const GraphPiece* begin) {
  std::vector<const GraphPiece*> before;
  for (const NodeId each : node.node.after) {
    before.push_back(&graph.layout.piece(each));
  }
  if (before.empty() && begin != nullptr) {
    before.push_back(begin);
  }
  cudaGraph_t const to = graph.layout.graph_of(node.node.body);
  kept_.clear();
  GraphPiece piece = capture_into(to, stream_, node.wanted().work, before, node.piece_options);
  tie_kept(to);
  graph.layout.note(std::move(piece), node.node.after, node.node.body);
}

/// May the bodies of a branch be switched? It is not known what memory nodes do in such a graph.
bool GraphNodes::can_switch(NodeId number) const {
  const GraphNode& branch = nodes_[number];
  if (!branch.is_branch() || branch.node.branch.kind == BranchKind::While ||
      !branch.node.body.is_iteration() || has_memory_nodes()) {
    return false;
  }
  std::vector<BodyPiece> pieces;
  for (const GraphNode& node : nodes_) {
    if (node.node.body.branch == number) {
      pieces.push_back({node.node.body.number, node.wanted().graph.get(), node.piece_options});
    }
  }
  return cuda::can_switch(branch.node.branch.bodies, pieces);
}

bool GraphNodes::choose_switched() {
  return switch_branches(nodes_, [this](NodeId number) { return can_switch(number); });
}

void GraphNodes::choose_conditional() {
  switch_branches(nodes_, [](NodeId /*number*/) { return false; });
}

bool GraphNodes::pair_wanted() {
  bool paired = true;
  for (GraphNode& node : nodes_) {
    if (node.replacement) {
      node.paired = node.paired && node.node.body.is_iteration() &&
                    node.source.graph.get() != nullptr &&
                    node.replacement->graph.get() != nullptr &&
                    have_same_nodes(node.source.graph.get(), node.replacement->graph.get());
      paired = paired && node.paired;
    }
  }
  return paired;
}

void GraphNodes::note_instantiated() {
  for (GraphNode& node : nodes_) {
    node.paired = true;
  }
}

void GraphNodes::disable(cudaGraphExec_t exec, const GraphLayout& layout) const {
  for (NodeId number = 0; number < nodes_.size(); ++number) {
    if (!nodes_[number].enabled) {
      enable_nodes(exec, layout.piece(number).all, false);
    }
  }
}

/// The capture of a node is kept while something stands in for it, and given up otherwise.
void GraphNodes::take_over(RetiredGraph& old) {
  for (GraphNode& node : nodes_) {
    if (!node.replacement) {
      continue;
    }
    NodeCapture before = std::exchange(node.source, std::move(*node.replacement));
    node.replacement.reset();
    if (node.source.stands_in && !before.stands_in) {
      node.set_aside = std::move(before.graph);
      continue;
    }
    old.captured.push_back(std::move(before.graph));
    if (!node.source.stands_in) {
      old.captured.push_back(std::move(node.set_aside));
    }
  }
}

}  // namespace gxr::cuda

#include "graph_layout.hpp"

#include <utility>

#include "cuda_call.hpp"
#include "graph_kernels.hpp"
#include "gxr/error.hpp"

namespace gxr::cuda {
namespace {

bool is_signed(ElementType type) {
  return type == ElementType::Int8 || type == ElementType::Int16 || type == ElementType::Int32 ||
         type == ElementType::Int64;
}

cudaGraphConditionalNodeType node_type(BranchKind kind) {
  switch (kind) {
    case BranchKind::If:
    case BranchKind::Every:
      return cudaGraphCondTypeIf;
    case BranchKind::Switch:
      return cudaGraphCondTypeSwitch;
    case BranchKind::While:
      break;
  }
  return cudaGraphCondTypeWhile;
}

Decision decision_of(BranchKind kind, bool again) {
  switch (kind) {
    case BranchKind::If:
      return Decision::IfNotZero;
    case BranchKind::Switch:
      return Decision::Body;
    case BranchKind::Every:
      return Decision::Counted;
    case BranchKind::While:
      break;
  }
  return again ? Decision::Again : Decision::Begin;
}

}  // namespace

Choice choice_of(const BoundBranch& bound, bool again) {
  const DeviceBranch& branch = bound.branch;
  Choice choice;
  choice.decision = decision_of(branch.kind, again);
  const bool counts = branch.kind == BranchKind::Every;
  const ElementType type = counts ? ElementType::UInt64 : branch.type;
  choice.number = counts ? bound.memory.iteration : bound.memory.selector;
  choice.bytes = static_cast<std::uint32_t>(size_of(type));
  choice.is_signed = is_signed(type);
  choice.bodies = branch.bodies;
  choice.limit = branch.limit;
  choice.runs = bound.memory.runs;
  choice.count = branch.count;
  choice.first = branch.first;
  return choice;
}

cudaGraphConditionalHandle make_handle(cudaGraph_t root, unsigned initial) {
  cudaGraphConditionalHandle handle{};
  cuda_check("cudaGraphConditionalHandleCreate",
             cudaGraphConditionalHandleCreate(&handle, root, initial, cudaGraphCondAssignDefault));
  return handle;
}

ConditionalNode add_conditional(cudaGraph_t graph, const std::vector<cudaGraphNode_t>& after,
                                cudaGraphConditionalHandle handle,
                                cudaGraphConditionalNodeType type, std::uint32_t bodies) {
  cudaGraphNodeParams params{};
  params.type = cudaGraphNodeTypeConditional;
  params.conditional.handle = handle;
  params.conditional.type = type;
  params.conditional.size = bodies;
  ConditionalNode added;
  cuda_check("cudaGraphAddNode",
             cudaGraphAddNode(&added.node, graph, after.data(), nullptr, after.size(), &params));
  added.bodies.assign(params.conditional.phGraph_out, params.conditional.phGraph_out + bodies);
  return added;
}

GraphLayout::GraphLayout(cudaGraph_t root, cudaGraph_t graph, const PieceOptions& piece_options)
    : root_(root), graph_(graph), piece_options_(piece_options) {}

cudaGraph_t GraphLayout::graph_of(const DeviceBody& body) const {
  return body.is_iteration() || is_switched(body) ? graph_
                                                  : items_.at(body.branch).bodies.at(body.number);
}

void GraphLayout::note(GraphPiece piece, const std::vector<NodeId>& after, const DeviceBody& body) {
  for (const std::size_t before : after) {
    items_.at(before).is_followed = true;
  }
  items_.push_back({std::move(piece), body, false, {}, {}, {}, {}});
}

void GraphLayout::add(GraphPiece piece, const std::vector<NodeId>& after, const DeviceBody& body,
                      const GraphPiece* begin) {
  cudaGraph_t const graph = graph_of(body);
  for (const std::size_t before : after) {
    join_pieces(graph, items_.at(before).piece, piece);
  }
  if (after.empty() && begin != nullptr) {
    join_pieces(graph, *begin, piece);
  }
  const bool in_switched = is_switched(body);
  if (in_switched) {
    add_to_switched(piece, body, after.empty());
  }
  note(std::move(piece), after, body);
  if (in_switched) {
    find_ends(body.branch);
  }
}

/// A node, whose edges in its body are there. `is_first`: in the body.
void GraphLayout::add_to_switched(const GraphPiece& piece, const DeviceBody& body, bool is_first) {
  SwitchedBranch& branch = switched_[items_[body.branch].switched.value()];
  if (is_first) {
    // No programmatic edges: it must not be launched before it is switched off.
    const GraphPiece switches{{}, {branch.switches}, false, 1};
    join_pieces(graph_, switches, piece);
  }
  const auto kernels = make_switchable(piece.all);
  if (!kernels) {
    throw Error(ErrorCode::NotSupported, "kernels in a branch body cannot be switched off");
  }
  for (cudaGraphDeviceNode_t const kernel : *kernels) {
    branch.kernels.push_back({kernel, body.number});
  }
}

/// The nodes of a switched branch without another one behind them in their body.
void GraphLayout::find_ends(NodeId branch) {
  GraphPiece& whole = items_[branch].piece;
  whole.last.clear();
  whole.dependent_launch = true;
  for (const Item& item : items_) {
    if (item.body.branch == branch && !item.is_followed) {
      whole.last.insert(whole.last.end(), item.piece.last.begin(), item.piece.last.end());
      whole.dependent_launch = whole.dependent_launch && item.piece.dependent_launch;
    }
  }
}

GraphPiece GraphLayout::add_choice(cudaGraph_t graph, const BoundBranch& branch,
                                   cudaGraphConditionalHandle handle, bool again) const {
  Choice choice = choice_of(branch, again);
  choice.handle = handle;
  void* arguments[] = {&choice};
  return add_kernel(graph, choice_kernel(), 1, 1, arguments, piece_options_);
}

void GraphLayout::add_branch(const BoundBranch& branch, const std::vector<NodeId>& after,
                             const DeviceBody& body, const GraphPiece* begin, Choosing choosing) {
  cudaGraph_t const graph = graph_of(body);
  if (choosing == Choosing::Switched) {
    const Choice choice = choice_of(branch, false);
    GraphPiece piece = add_switch(graph, choice, piece_options_);
    switched_.push_back({piece.last.front(), choice, {}});
    add(std::move(piece), after, body, begin);
    items_.back().branch = branch;
    items_.back().switched = switched_.size() - 1;
    return;
  }
  const cudaGraphConditionalHandle handle = make_handle(root_, 0);
  GraphPiece piece = add_choice(graph, branch, handle, false);
  ConditionalNode node = add_conditional(graph, piece.last, handle, node_type(branch.branch.kind),
                                         branch.branch.bodies);
  piece.last = {node.node};
  piece.all.push_back(node.node);
  piece.nodes = piece.all.size();
  bodies_.insert(bodies_.end(), node.bodies.begin(), node.bodies.end());
  add(std::move(piece), after, body, begin);
  Item& item = items_.back();
  item.branch = branch;
  item.handle = handle;
  item.bodies = std::move(node.bodies);
}

void GraphLayout::close() {
  for (NodeId number = 0; number < items_.size(); ++number) {
    const Item& loop = items_[number];
    if (loop.bodies.empty() || loop.branch.branch.kind != BranchKind::While) {
      continue;
    }
    cudaGraph_t const body = loop.bodies.front();
    const GraphPiece again = add_choice(body, loop.branch, loop.handle, true);
    for (const Item& item : items_) {
      if (item.body.branch == number && !item.is_followed) {
        join_pieces(body, item.piece, again);
      }
    }
  }
}

}  // namespace gxr::cuda

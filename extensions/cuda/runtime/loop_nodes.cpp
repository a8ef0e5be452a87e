#include "loop_nodes.hpp"

#include <algorithm>
#include <utility>

#include "device_guard.hpp"
#include "partition.hpp"

namespace gxr::cuda {

PieceOptions piece_options_of(const LoopNode& node, const PieceOptions& own) {
  PieceOptions piece_options = own;
  piece_options.traits = node.node.traits;
  piece_options.l2_range = node.l2_range;
  return piece_options;
}

GraphPiece place_node(const LoopNode& node, cudaGraph_t graph, const PieceOptions& own) {
  return copy_piece(node.captured.get(), graph, piece_options_of(node, own));
}

LoopNodes::LoopNodes(const DeviceLoopOptions& options, StreamRef stream,
                     const PieceOptions& piece_options)
    : device_(options.device),
      partition_(options.partition),
      stream_(stream),
      piece_options_(piece_options) {}

NodeId LoopNodes::add(const CapturedWork& work, const DeviceNode& node,
                      const DeviceRange& l2_range) {
  const DeviceGuard guard(device_);
  L2Reservation in_l2(device_, l2_range.bytes);
  const PartitionGuard partition(partition_);
  nodes_.push_back(
      {node, capture_piece(stream_, work, PiecePlace::Loop), l2_range, std::move(in_l2)});
  return nodes_.size() - 1;
}

void LoopNodes::prepare(const CapturedWork& work) const {
  const DeviceGuard guard(device_);
  const PartitionGuard partition(partition_);
  run_now(stream_, work);
}

NodeId LoopNodes::add_branch(const BranchMemory& memory, const DeviceNode& node) {
  LoopNode& branch = nodes_.emplace_back();
  branch.node = node;
  branch.memory = memory;
  return nodes_.size() - 1;
}

void LoopNodes::replace(NodeId node, const CapturedWork& work) {
  const DeviceGuard guard(device_);
  const PartitionGuard partition(partition_);
  nodes_.at(node).captured = capture_piece(stream_, work, PiecePlace::Loop);
}

void LoopNodes::replace_by_copy(NodeId node, const DeviceCopy& copy) {
  if (copy.bytes > 0) {
    replace(node, copy_work(copy));
  } else {
    const DeviceGuard guard(device_);
    nodes_.at(node).captured = make_empty_piece();
  }
}

std::vector<BodyPiece> LoopNodes::in_bodies_of(NodeId branch) const {
  std::vector<BodyPiece> pieces;
  for (const LoopNode& node : nodes_) {
    if (node.node.body.branch == branch) {
      pieces.push_back(
          {node.node.body.number, node.captured.get(), piece_options_of(node, piece_options_)});
    }
  }
  return pieces;
}

/// May the bodies of a branch be switched? Only in the graph of an iteration: it is not known what
/// a conditional node does with such kernels in its body.
bool LoopNodes::can_switch(NodeId number) const {
  const LoopNode& branch = nodes_[number];
  return branch.is_branch() && branch.node.branch.kind != BranchKind::While &&
         branch.node.body.is_iteration() &&
         cuda::can_switch(branch.node.branch.bodies, in_bodies_of(number));
}

bool LoopNodes::choose_switched() {
  return switch_branches(nodes_, [this](NodeId number) { return can_switch(number); });
}

void LoopNodes::choose_conditional() {
  switch_branches(nodes_, [](NodeId /*number*/) { return false; });
}

void LoopNodes::release() noexcept {
  for (LoopNode& node : nodes_) {
    node.captured.release();
    node.in_l2.release();
  }
}

}  // namespace gxr::cuda

#include "loop_nodes.hpp"

#include <algorithm>
#include <utility>

#include "device_guard.hpp"
#include "partition.hpp"

namespace gxr::cuda {

PieceAttributes attributes_of(const LoopNode& node, const PieceAttributes& own) {
  PieceAttributes attributes = own;
  attributes.traits = node.node.traits;
  attributes.kept_in_l2 = node.kept_in_l2;
  return attributes;
}

GraphPiece place_node(const LoopNode& node, cudaGraph_t graph, const PieceAttributes& own) {
  return copy_piece(node.captured.get(), graph, attributes_of(node, own));
}

LoopNodes::LoopNodes(const DeviceLoopOptions& options, StreamRef stream,
                     const PieceAttributes& attributes)
    : device_(options.device),
      partition_(options.partition),
      stream_(stream),
      attributes_(attributes) {}

NodeId LoopNodes::add(const CapturedWork& work, const DeviceNode& node,
                      const DeviceRange& kept_in_l2) {
  const DeviceGuard guard(device_);
  L2Reservation in_l2(device_, kept_in_l2.bytes);
  const PartitionGuard partition(partition_);
  nodes_.push_back(
      {node, capture_piece(stream_, work, PiecePlace::Loop), kept_in_l2, std::move(in_l2)});
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
          {node.node.body.number, node.captured.get(), attributes_of(node, attributes_)});
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

#include "launch_counter.hpp"

#include "cuda_call.hpp"
#include "graph_kernels.hpp"

namespace gxr::cuda {

LaunchCounter::LaunchCounter(std::uint64_t* where, std::uint64_t next, StreamRef stream)
    : where_(where),
      next_(next),
      captured_(capture_piece(
          stream, [where](CUstream_st* captured) { launch_count(where, captured); },
          PiecePlace::Graph)) {}

void LaunchCounter::place(const GraphNodes& nodes, const LaidGraph& graph) const {
  PieceOptions piece_options = nodes.own_piece_options();
  piece_options.traits = {};
  piece_options.traits.dependent_launch = true;  // nothing is in front of it
  const GraphPiece counter = copy_piece(captured_.get(), graph.graph.get(), piece_options);
  NodeId number = 0;
  for (const GraphNode& node : nodes) {
    if (node.node.after.empty() && node.node.body.is_iteration()) {
      join_pieces(graph.graph.get(), counter, graph.layout.piece(number));
    }
    ++number;
  }
}

void LaunchCounter::begin(StreamRef stream) {
  if (!is_placed_ || is_set_) {
    return;
  }
  const std::uint64_t before = next_ - 1;
  // So few bytes are read before the call returns.
  cuda_check("cudaMemcpyAsync",
             cudaMemcpyAsync(where_, &before, sizeof before, cudaMemcpyHostToDevice, stream));
  is_set_ = true;
}

}  // namespace gxr::cuda

#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "graph_pieces.hpp"
#include "loop_graphs.hpp"
#include "loop_material.hpp"

namespace gxr::cuda {

/// The graphs of launched bodies: for each, the nodes in it, and, of a sibling, the copies of its
/// inputs and of its results.
class LaunchedGraphs {
 public:
  /// Lays them and makes them ready; they belong to `graphs`. `piece_options`: of kernels that are
  /// none of the operators'. `material` must outlive it.
  LaunchedGraphs(const LoopMaterial& material, const PieceOptions& piece_options,
                 LoopGraphs& graphs);

  /// When the graph with the first control kernel, `starter`, is there: tells the control kernels
  /// of all graphs.
  void upload(cudaGraphExec_t starter) const;

 private:
  enum Which : std::uint8_t { kBody, kIn, kOut, kCount };
  [[nodiscard]] bool belongs(NodeId number, NodeId branch, Which which) const;
  [[nodiscard]] GraphHandle lay(const LaunchedBodies::Body& body, Which which) const;
  [[nodiscard]] bool lay_nodes(GraphLayout& layout, cudaGraph_t graph, NodeId branch,
                               Which which) const;
  void end_sibling(const GraphLayout& layout, cudaGraph_t graph, NodeId branch) const;

  const LoopMaterial& material_;
  PieceOptions piece_options_;
  std::vector<std::array<cudaGraphExec_t, kCount>> execs_;  // in the order of the bodies
};

}  // namespace gxr::cuda

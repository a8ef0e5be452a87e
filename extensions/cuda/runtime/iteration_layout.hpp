#pragma once

#include <functional>
#include <vector>

#include <cuda_runtime_api.h>

#include "control_nodes.hpp"
#include "device/device_program.hpp"
#include "graph_pieces.hpp"
#include "loop_graphs.hpp"
#include "loop_kernels.hpp"
#include "loop_material.hpp"

namespace gxr::cuda {

/// The nodes of an iteration that stand in one graph: all of them, or those of a stage.
struct Section {
  std::vector<bool> has;           ///< by node
  std::vector<DeviceBody> bodies;  ///< by node: the body that it stands in, in this graph
  bool takes_inputs = true;        ///< kernels for all large inputs are in it
  bool gives_outputs = true;       ///< and for all large outputs
  /// The branch that decides on this graph: nodes behind the branch follow the ends of its body.
  NodeId chosen_by = kNoNode;
};

/// All nodes but those that poll, and those of launched bodies.
Section whole_iteration(const LoopNodes& nodes, const LaunchedBodies& launched);

/// Lays iterations into the graphs of a loop: copies of large inputs, the nodes of the operators,
/// copies of large outputs, and the kernel that ends the iteration.
///
/// A copy of an input comes before all nodes that read it, and one of an output behind all that
/// write it. The last kernel follows every node that no other one follows.
class IterationLayout {
 public:
  /// All must outlive it. The nodes of bodies are noted in `graphs`.
  IterationLayout(const LoopMaterial& material, const ControlNodes& control, LoopGraphs& graphs);

  /// One iteration, which may begin when `begin` ends; null: at once. Returns the control kernel
  /// that ends it.
  GraphPiece lay(cudaGraph_t graph, const GraphPiece* begin, LoopRole end) const;
  /// One that is measured, which may begin at once.
  GraphPiece lay_measured(cudaGraph_t graph, LoopRole end) const;
  /// A section of one, which the kernel that `add_end` adds ends. Returns that kernel.
  GraphPiece lay(cudaGraph_t graph, const GraphPiece* begin, const Section& section,
                 const std::function<GraphPiece(cudaGraph_t)>& add_end) const;

 private:
  GraphPiece lay(cudaGraph_t graph, const GraphPiece* begin, const Section& section,
                 const std::function<GraphPiece(cudaGraph_t)>& add_end, Stamps* stamps) const;

  const LoopMaterial& material_;
  const ControlNodes& control_;
  LoopGraphs& graphs_;
  Section whole_;
};

}  // namespace gxr::cuda

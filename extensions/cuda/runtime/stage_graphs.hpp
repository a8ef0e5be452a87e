#pragma once

#include <cstddef>
#include <vector>

#include <cuda_runtime_api.h>

#include "iteration_layout.hpp"
#include "iteration_stages.hpp"
#include "loop_graphs.hpp"

namespace gxr::cuda {

/// The graphs of an iteration in stages, and the table in device memory in which their kernels find
/// the next one. Of an iteration without stages: its one graph.
class StageGraphs {
 public:
  /// Makes empty graphs, which belong to `graphs`, and the table. All must outlive it.
  StageGraphs(const LoopMaterial& material, const IterationStages& stages, LoopGraphs& graphs);

  /// Tells the control kernels of the table.
  void fill(LoopTable& table) const { table.stages = table_; }
  /// Lays all stages, the first one into the main graph.
  void lay(const ControlNodes& control) const;
  /// Makes all but the main graph ready.
  void instantiate() const;
  /// When all graphs are there: fills the table.
  void upload_table() const;

 private:
  struct StageGraph {
    Stage stage;
    LoopGraph* made;
  };
  void lay_stage(const StageGraph& each, const IterationLayout& layout,
                 const ControlNodes& control) const;
  [[nodiscard]] GraphPiece lay_section(const IterationLayout& layout, const ControlNodes& control,
                                       cudaGraph_t graph, const GraphPiece* begin,
                                       const Stage& stage, LoopRole end) const;
  [[nodiscard]] GraphPiece add_launch(cudaGraph_t graph, const ControlNodes& control,
                                      std::size_t stage) const;
  [[nodiscard]] const cudaGraphExec_t* place_of(const Stage& stage) const;
  [[nodiscard]] std::size_t bytes() const noexcept {
    return (graphs_.size() + 1) * sizeof(cudaGraphExec_t);
  }

  const LoopMaterial& material_;
  const IterationStages& stages_;
  LoopGraphs& all_;
  std::vector<StageGraph> graphs_;          // but the first one
  const cudaGraphExec_t* table_ = nullptr;  // in device memory: the first one, and the others
};

}  // namespace gxr::cuda

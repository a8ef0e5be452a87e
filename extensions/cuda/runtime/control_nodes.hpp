#pragma once

#include <cstddef>

#include <cuda_runtime_api.h>

#include "graph_pieces.hpp"
#include "loop_kernels.hpp"
#include "loop_material.hpp"

namespace gxr::cuda {

/// Puts gxr's own kernels into the graphs of a loop: control kernels, and kernels that copy large
/// inputs and outputs between slots and tensors.
class ControlNodes {
 public:
  /// `table`, `handles`: complete, since each control kernel gets a copy. `by_kernels`: the control
  /// kernels launch the graphs; else they set conditions.
  ControlNodes(const LoopMaterial& material, const LoopTable& table, const LoopHandles& handles,
               bool by_kernels);

  [[nodiscard]] const LoopTable& table() const noexcept { return table_; }
  /// Of kernels that are none of the operators'.
  [[nodiscard]] const PieceOptions& piece_options() const noexcept { return piece_options_; }
  [[nodiscard]] GraphPiece add(cudaGraph_t graph, LoopRole role) const;
  /// Copies a large input from its slot.
  [[nodiscard]] GraphPiece add_input(cudaGraph_t graph, std::size_t input) const;
  /// Copies a large output into its slot.
  [[nodiscard]] GraphPiece add_output(cudaGraph_t graph, std::size_t output) const;

 private:
  [[nodiscard]] GraphPiece add_move(cudaGraph_t graph, const LoopPort& port, bool into_tensor,
                                    LoopMove move) const;

  const LoopMemory& memory_;
  LoopTable table_;
  LoopHandles handles_;
  PieceOptions piece_options_;
};

}  // namespace gxr::cuda

#pragma once

#include <cstdint>
#include <vector>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

// What a capture may leave for a graph to be put together from, and copies of it.

/// Where a piece is to run.
enum class PiecePlace : std::uint8_t {
  Graph,   ///< in a graph that the host launches
  Loop,    ///< in the body of a loop, or in a branch there
  Branch,  ///< in a branch of a graph that the host launches
};

/// Throws Error(InvalidState) when there are none, and Error(NotSupported) for what no graph takes.
void require_known(const std::vector<cudaGraphNode_t>& nodes);
/// As require_known(); throws Error(NotSupported) also for what cannot be at that place, and for
/// memory that is freed and was not allocated in the same capture.
void require_movable(cudaGraph_t captured, PiecePlace place);
/// A node in another graph that does the same, without edges; not of one that allocates or frees
/// memory, which CUDA copies into no other graph.
cudaGraphNode_t copy_node(cudaGraphNode_t node, cudaGraph_t to);
/// Does it allocate or free memory, or a child graph of it?
bool has_memory_nodes(cudaGraph_t graph);
/// Addresses that nodes allocate more often than they free them; not those of child graphs.
std::vector<void*> memory_left_by(const std::vector<cudaGraphNode_t>& nodes);

}  // namespace gxr::cuda

#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "gxr/graph_operator.hpp"
#include "owned.hpp"

namespace gxr::cuda {

// CUDA graphs are put together from pieces, each captured alone. Captured nodes are copied flat, so
// that edges between pieces can be programmatic, and by the driver's functions, since those of the
// runtime do not know kernels of libraries that have a runtime of their own.

using GraphHandle = Owned<cudaGraph_t, cudaGraphDestroy>;
using GraphExecHandle = Owned<cudaGraphExec_t, cudaGraphExecDestroy>;

/// Nodes of one graph that belong together.
struct GraphPiece {
  std::vector<cudaGraphNode_t> first;  ///< nodes that wait for none of the piece
  std::vector<cudaGraphNode_t> last;   ///< nodes that none of the piece waits for
  bool dependent_launch = false;
  std::size_t nodes = 0;
};

/// A stream to capture from, of the current device: captured kernels have its priority.
OwnedStream make_capture_stream(int priority);

/// What `work` puts on `stream`. Throws what it throws, and as DeviceGraph::add() says; with
/// `in_loop`, also for what cannot be part of a WHILE body. The capture has ended in any case.
GraphHandle capture_piece(cudaStream_t stream, const std::function<void(CUstream_st*)>& work,
                          bool in_loop);
/// Copies all nodes and their edges. What libraries tied to `from` is needed by the copies: it must
/// stay.
GraphPiece copy_piece(cudaGraph_t from, cudaGraph_t to, const GraphTraits& traits);
/// Puts `behind` behind `before`. Edges between kernels are programmatic when both pieces may be
/// launched before their predecessors have ended.
void join_pieces(cudaGraph_t graph, const GraphPiece& before, const GraphPiece& behind);
/// Destroys all when no loop runs: CUDA would wait for its end.
void destroy(GraphExecHandle exec, std::vector<GraphHandle> graphs) noexcept;

}  // namespace gxr::cuda

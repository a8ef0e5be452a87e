#pragma once

#include <cstddef>
#include <functional>
#include <vector>

#include "captured_nodes.hpp"
#include "device/device_graph.hpp"
#include "owned.hpp"
#include "piece_options.hpp"

namespace gxr::cuda {

// CUDA graphs are put together from pieces, each captured alone. Captured nodes are copied flat, so
// that edges between pieces can be programmatic, and by the driver's functions, since those of the
// runtime do not know kernels of libraries that have a runtime of their own. Nodes that allocate
// and free memory cannot be copied; their piece is captured once more, straight into the graph.

/// Nodes of one graph that belong together.
struct GraphPiece {
  std::vector<cudaGraphNode_t> first;  ///< nodes that wait for none of the piece
  std::vector<cudaGraphNode_t> last;   ///< nodes that none of the piece waits for
  bool dependent_launch = false;
  std::size_t nodes = 0;
  std::vector<cudaGraphNode_t> all = {};  ///< in the order in which they were captured
};

/// Can a device begin a kernel before those in front of it have ended? Since compute capability
/// 9.0.
bool has_programmatic_edges(int device);

/// A stream to capture from, or to launch on, of the current device and, if there is one, of a
/// partition of it: captured kernels have its priority. Throws Error(InvalidArgument) for a
/// partition of another device.
OwnedStream make_capture_stream(int device, int priority, const DevicePartition* partition);

/// Has `work` put on `stream`, which is not captured, and waits until it is done. Throws what it
/// throws.
void run_now(cudaStream_t stream, const CapturedWork& work);
/// The work that `work` puts on `stream`. Throws what it throws, and as DeviceNodes::add() says,
/// also for nodes that cannot be in the body of a conditional node, if it is to be there. The
/// capture has ended in any case.
GraphHandle capture_piece(cudaStream_t stream, const CapturedWork& work, PiecePlace place);
/// The work of a copy within the memory of a device.
CapturedWork copy_work(const DeviceCopy& copy);
/// Captures `work`, of which capture_piece() has taken all, straight into a graph, behind the last
/// nodes of each of `before`. Frees behind it what it allocates and does not free. Throws as
/// capture_piece(); then the graph is of no use any more.
GraphPiece capture_into(cudaGraph_t graph, cudaStream_t stream, const CapturedWork& work,
                        const std::vector<const GraphPiece*>& before,
                        const PieceOptions& piece_options);
/// Copies all nodes, of which none is one of memory, and their edges. The copies need the objects
/// that libraries tied to `from`, which must stay.
GraphPiece copy_piece(cudaGraph_t from, cudaGraph_t to, const PieceOptions& piece_options);
/// A kernel of gxr's own, which may be launched before its predecessors have ended.
GraphPiece add_kernel(cudaGraph_t graph, const void* kernel, unsigned blocks, unsigned threads,
                      void** arguments, const PieceOptions& piece_options);
GraphHandle make_graph();
/// Both do nothing without a graph. For those with which CUDA might wait for the end of loops.
void destroy_when_may_wait(GraphHandle& graph) noexcept;
void destroy_when_may_wait(GraphExecHandle& exec) noexcept;
/// A piece that does nothing: one node, which keeps the order of the nodes in front of it and
/// behind it.
GraphHandle make_empty_piece();
/// Ready to be launched, on the device of `stream`, with the priorities of its kernels. A graph
/// with memory nodes has one such at a time. `by_kernels`: kernels launch it, too; an error names
/// the nodes that can be in such a graph.
GraphExecHandle instantiate(cudaGraph_t graph, cudaStream_t stream, bool by_kernels = false);
/// Puts `behind` behind `before`. Edges between kernels are programmatic when both pieces may be
/// launched before their predecessors have ended, and the device can do that.
void join_pieces(cudaGraph_t graph, const GraphPiece& before, const GraphPiece& behind);

}  // namespace gxr::cuda

#pragma once

#include <vector>

#include <cuda_runtime_api.h>

namespace gxr::cuda {

// An instantiated graph is changed from the cheapest way on: nodes, the whole graph, another
// instantiation. Nodes are addressed by those of the graph that was instantiated.

/// Do two captured graphs differ in nothing but the parameters of their nodes? Node for node in the
/// order of their making: kinds, edges, and what is set for kernels. False when they have child
/// graphs, whose nodes are not compared. Neither has memory nodes. Captures do not have the
/// attributes that an operator's traits ask for: copy_piece() sets these on the copies.
bool have_same_nodes(cudaGraph_t one, cudaGraph_t other);

/// Gives `nodes` of an instantiated graph the parameters of those of `from`, which have the same
/// kinds in the same order. False when CUDA refuses one; then any of them may be changed.
bool set_nodes(cudaGraphExec_t exec, const std::vector<cudaGraphNode_t>& nodes, cudaGraph_t from);

/// Gives all nodes of an instantiated graph the parameters of those of another graph. False when
/// CUDA refuses.
bool update_whole(cudaGraphExec_t exec, cudaGraph_t from);

/// Throws Error(NotSupported) when there are other nodes than kernels, copies and memsets among
/// them.
void require_can_enable(const std::vector<cudaGraphNode_t>& nodes);
/// Switches nodes of an instantiated graph on or off. Throws as require_can_enable(), before
/// anything is switched.
void enable_nodes(cudaGraphExec_t exec, const std::vector<cudaGraphNode_t>& nodes, bool on);

}  // namespace gxr::cuda

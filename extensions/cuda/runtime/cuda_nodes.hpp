#pragma once

#include <vector>

#include <cuda.h>
#include <cuda_runtime_api.h>

namespace gxr::cuda {

/// All nodes of a graph, in the order in which they were made; not those of child graphs.
std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph);

/// One index an edge.
struct Edges {
  std::vector<cudaGraphNode_t> from;
  std::vector<cudaGraphNode_t> to;
  std::vector<cudaGraphEdgeData> data;
};
Edges edges_of(cudaGraph_t graph);

cudaGraphNodeType type_of(cudaGraphNode_t node);
/// The graph of a node of cudaGraphNodeTypeGraph, which keeps it.
cudaGraph_t child_of(cudaGraphNode_t node);

/// Copies and memsets are nodes of a context.
CUcontext current_context();

}  // namespace gxr::cuda

#include "cuda_nodes.hpp"

#include "cuda_call.hpp"
#include "driver.hpp"

namespace gxr::cuda {

std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  cuda_check("cudaGraphGetNodes", cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  if (count > 0) {
    cuda_check("cudaGraphGetNodes", cudaGraphGetNodes(graph, nodes.data(), &count));
  }
  return nodes;
}

Edges edges_of(cudaGraph_t graph) {
  std::size_t count = 0;
  cuda_check("cudaGraphGetEdges", cudaGraphGetEdges(graph, nullptr, nullptr, nullptr, &count));
  Edges edges{std::vector<cudaGraphNode_t>(count), std::vector<cudaGraphNode_t>(count),
              std::vector<cudaGraphEdgeData>(count)};
  if (count > 0) {
    cuda_check("cudaGraphGetEdges", cudaGraphGetEdges(graph, edges.from.data(), edges.to.data(),
                                                      edges.data.data(), &count));
  }
  return edges;
}

cudaGraphNodeType type_of(cudaGraphNode_t node) {
  cudaGraphNodeType type{};
  cuda_check("cudaGraphNodeGetType", cudaGraphNodeGetType(node, &type));
  return type;
}

cudaGraph_t child_of(cudaGraphNode_t node) {
  cudaGraph_t child = nullptr;
  cuda_check("cudaGraphChildGraphNodeGetGraph", cudaGraphChildGraphNodeGetGraph(node, &child));
  return child;
}

CUcontext current_context() {
  CUcontext context = nullptr;
  driver_check("cuCtxGetCurrent", driver().context_get_current(&context));
  return context;
}

}  // namespace gxr::cuda

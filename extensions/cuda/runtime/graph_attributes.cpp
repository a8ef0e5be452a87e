#include "graph_attributes.hpp"

#include "cuda_call.hpp"
#include "cuda_nodes.hpp"
#include "l2_cache.hpp"

namespace gxr::cuda {
namespace {

cudaLaunchAttributeValue attribute_of(cudaGraphNode_t kernel, cudaLaunchAttributeID id) {
  cudaLaunchAttributeValue value{};
  cuda_check("cudaGraphKernelNodeGetAttribute",
             cudaGraphKernelNodeGetAttribute(kernel, id, &value));
  return value;
}

void set_attribute(cudaGraphNode_t kernel, cudaLaunchAttributeID id,
                   const cudaLaunchAttributeValue& value) {
  cuda_check("cudaGraphKernelNodeSetAttribute",
             cudaGraphKernelNodeSetAttribute(kernel, id, &value));
}

/// A launch that brought a window of its own keeps it.
void keep_in_l2(cudaGraphNode_t kernel, const PieceOptions& piece_options) {
  constexpr cudaLaunchAttributeID kWindow = cudaLaunchAttributeAccessPolicyWindow;
  cudaLaunchAttributeValue value{};
  value.accessPolicyWindow = l2_window(piece_options.device, piece_options.l2_range);
  if (value.accessPolicyWindow.num_bytes > 0 &&
      attribute_of(kernel, kWindow).accessPolicyWindow.num_bytes == 0) {
    set_attribute(kernel, kWindow, value);
  }
}

}  // namespace

void set_attributes(cudaGraphNode_t node, const PieceOptions& piece_options) {
  const cudaGraphNodeType type = type_of(node);
  if (type == cudaGraphNodeTypeGraph) {
    for (cudaGraphNode_t const inner : nodes_of(child_of(node))) {
      set_attributes(inner, piece_options);
    }
  }
  if (type != cudaGraphNodeTypeKernel) {
    return;
  }
  set_priority(node, piece_options.traits.priority);
  if (piece_options.l2_range.bytes > 0) {
    keep_in_l2(node, piece_options);
  }
  set_memory_sync_domain(node, piece_options.memory_sync_domain);
}

void set_priority(cudaGraphNode_t kernel, int priority) {
  if (priority != 0) {
    cudaLaunchAttributeValue value{};
    value.priority = priority;
    set_attribute(kernel, cudaLaunchAttributePriority, value);
  }
}

void set_memory_sync_domain(cudaGraphNode_t kernel, MemorySyncDomain domain) {
  if (domain == MemorySyncDomain::Remote) {
    cudaLaunchAttributeValue value{};
    value.memSyncDomain = cudaLaunchMemSyncDomainRemote;
    set_attribute(kernel, cudaLaunchAttributeMemSyncDomain, value);
  }
}

}  // namespace gxr::cuda

#include "graph_changes.hpp"

#include <algorithm>
#include <cstddef>
#include <cstring>
#include <tuple>
#include <unordered_map>

#include "cuda_call.hpp"
#include "cuda_nodes.hpp"
#include "driver.hpp"
#include "gxr/error.hpp"

namespace gxr::cuda {
namespace {

using Node = cudaGraphNode_t;

/// An attribute of a kernel that only another instantiation, or an update of the whole graph, can
/// change (the priority only another instantiation, since gxr's graphs use node priorities), and
/// the bytes of cudaLaunchAttributeValue that mean something.
struct Attribute {
  cudaLaunchAttributeID id;
  std::size_t bytes;
};

constexpr Attribute kAttributes[] = {
    {cudaLaunchAttributeAccessPolicyWindow,
     offsetof(cudaAccessPolicyWindow, missProp) + sizeof(cudaAccessPolicyWindow::missProp)},
    {cudaLaunchAttributeCooperative, sizeof(cudaLaunchAttributeValue::cooperative)},
    {cudaLaunchAttributeClusterDimension, sizeof(cudaLaunchAttributeValue::clusterDim)},
    {cudaLaunchAttributeClusterSchedulingPolicyPreference,
     sizeof(cudaLaunchAttributeValue::clusterSchedulingPolicyPreference)},
    {cudaLaunchAttributePriority, sizeof(cudaLaunchAttributeValue::priority)},
    {cudaLaunchAttributeMemSyncDomain, sizeof(cudaLaunchAttributeValue::memSyncDomain)},
    {cudaLaunchAttributePreferredClusterDimension,
     sizeof(cudaLaunchAttributeValue::preferredClusterDim)},
    {cudaLaunchAttributePreferredSharedMemoryCarveout,
     sizeof(cudaLaunchAttributeValue::sharedMemCarveout)},
};

/// All bytes are 0 for a kernel, or a driver, that does not know the attribute.
cudaLaunchAttributeValue attribute_or_zero(Node kernel, cudaLaunchAttributeID id) {
  cudaLaunchAttributeValue value{};
  if (cudaGraphKernelNodeGetAttribute(kernel, id, &value) != cudaSuccess) {
    static_cast<void>(cudaGetLastError());
    value = {};
  }
  return value;
}

bool have_same_attributes(Node one, Node other) {
  return std::ranges::all_of(kAttributes, [&](const Attribute& attribute) {
    const cudaLaunchAttributeValue first = attribute_or_zero(one, attribute.id);
    const cudaLaunchAttributeValue second = attribute_or_zero(other, attribute.id);
    return std::memcmp(&first, &second, attribute.bytes) == 0;
  });
}

bool are_alike(Node one, Node other) {
  const cudaGraphNodeType type = type_of(one);
  return type == type_of(other) && type != cudaGraphNodeTypeGraph &&
         (type != cudaGraphNodeTypeKernel || have_same_attributes(one, other));
}

/// Edges by the numbers of their nodes, in ascending order.
auto numbered_edges(cudaGraph_t graph, const std::vector<Node>& nodes) {
  std::unordered_map<Node, std::size_t> number;
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    number.emplace(nodes[i], i);
  }
  const Edges edges = edges_of(graph);
  using Edge = std::tuple<std::size_t, std::size_t, unsigned, unsigned, unsigned>;
  std::vector<Edge> numbered;
  for (std::size_t i = 0; i < edges.from.size(); ++i) {
    const cudaGraphEdgeData& data = edges.data[i];
    numbered.emplace_back(number.at(edges.from[i]), number.at(edges.to[i]), data.from_port,
                          data.to_port, data.type);
  }
  std::ranges::sort(numbered);
  return numbered;
}

bool set_node(cudaGraphExec_t exec, Node node, Node from) {
  switch (type_of(from)) {
    case cudaGraphNodeTypeKernel: {
      CUDA_KERNEL_NODE_PARAMS params{};
      driver_check("cuGraphKernelNodeGetParams", driver().kernel_node_get_params(from, &params));
      return driver().exec_set_kernel(exec, node, &params) == CUDA_SUCCESS;
    }
    case cudaGraphNodeTypeMemcpy: {
      CUDA_MEMCPY3D params{};
      driver_check("cuGraphMemcpyNodeGetParams", driver().memcpy_node_get_params(from, &params));
      return driver().exec_set_memcpy(exec, node, &params, current_context()) == CUDA_SUCCESS;
    }
    case cudaGraphNodeTypeMemset: {
      CUDA_MEMSET_NODE_PARAMS params{};
      driver_check("cuGraphMemsetNodeGetParams", driver().memset_node_get_params(from, &params));
      return driver().exec_set_memset(exec, node, &params, current_context()) == CUDA_SUCCESS;
    }
    case cudaGraphNodeTypeHost: {
      cudaHostNodeParams params{};
      cuda_check("cudaGraphHostNodeGetParams", cudaGraphHostNodeGetParams(from, &params));
      return cudaGraphExecHostNodeSetParams(exec, node, &params) == cudaSuccess;
    }
    case cudaGraphNodeTypeEventRecord: {
      cudaEvent_t event = nullptr;
      cuda_check("cudaGraphEventRecordNodeGetEvent",
                 cudaGraphEventRecordNodeGetEvent(from, &event));
      return cudaGraphExecEventRecordNodeSetEvent(exec, node, event) == cudaSuccess;
    }
    case cudaGraphNodeTypeWaitEvent: {
      cudaEvent_t event = nullptr;
      cuda_check("cudaGraphEventWaitNodeGetEvent", cudaGraphEventWaitNodeGetEvent(from, &event));
      return cudaGraphExecEventWaitNodeSetEvent(exec, node, event) == cudaSuccess;
    }
    default:
      return type_of(from) == cudaGraphNodeTypeEmpty;
  }
}

bool can_be_enabled(cudaGraphNodeType type) {
  return type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
         type == cudaGraphNodeTypeMemset;
}

}  // namespace

bool have_same_nodes(cudaGraph_t one, cudaGraph_t other) {
  const std::vector<Node> first = nodes_of(one);
  const std::vector<Node> second = nodes_of(other);
  return std::ranges::equal(first, second, are_alike) &&
         numbered_edges(one, first) == numbered_edges(other, second);
}

bool set_nodes(cudaGraphExec_t exec, const std::vector<Node>& nodes, cudaGraph_t from) {
  const std::vector<Node> wanted = nodes_of(from);
  for (std::size_t i = 0; i < nodes.size(); ++i) {
    if (!set_node(exec, nodes[i], wanted.at(i))) {
      static_cast<void>(cudaGetLastError());
      return false;
    }
  }
  return true;
}

bool update_whole(cudaGraphExec_t exec, cudaGraph_t from) {
  cudaGraphExecUpdateResultInfo why{};
  const cudaError_t result = cudaGraphExecUpdate(exec, from, &why);
  if (is_sticky(result)) {
    cuda_check("cudaGraphExecUpdate", result);
  }
  static_cast<void>(cudaGetLastError());
  return result == cudaSuccess;
}

void require_can_enable(const std::vector<Node>& nodes) {
  for (const Node node : nodes) {
    if (const cudaGraphNodeType type = type_of(node);
        !can_be_enabled(type) && type != cudaGraphNodeTypeEmpty) {
      throw Error(
          ErrorCode::NotSupported,
          "an operator with a child graph, a function of the host, events or memory nodes "
          "in its part of the graph cannot be switched off and on: only kernels, copies and "
          "memsets can");
    }
  }
}

void enable_nodes(cudaGraphExec_t exec, const std::vector<Node>& nodes, bool on) {
  require_can_enable(nodes);
  for (const Node node : nodes) {
    if (can_be_enabled(type_of(node))) {
      cuda_check("cudaGraphNodeSetEnabled", cudaGraphNodeSetEnabled(exec, node, on ? 1 : 0));
    }
  }
}

}  // namespace gxr::cuda

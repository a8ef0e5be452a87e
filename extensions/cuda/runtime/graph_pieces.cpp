#include "graph_pieces.hpp"

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "capture_watch.hpp"
#include "cuda_call.hpp"
#include "driver.hpp"
#include "graph_nodes.hpp"
#include "gxr/error.hpp"
#include "l2_cache.hpp"
#include "partition.hpp"
#include "runtime.hpp"

namespace gxr::cuda {
namespace {

using Node = cudaGraphNode_t;

[[noreturn]] void throw_cannot_move(cudaGraphNodeType type) {
  const char* what = type == cudaGraphNodeTypeMemAlloc || type == cudaGraphNodeTypeMemFree
                         ? "it allocates or frees memory (ask for scratch in infer())"
                     : type == cudaGraphNodeTypeConditional
                         ? "it has conditional nodes of its own"
                         : "it has a kind of node that gxr does not know";
  throw Error(ErrorCode::NotSupported,
              std::string("this work cannot be a part of a CUDA-graph region: ") + what);
}

/// What went wrong in a capture that `work` did not complain about. `seen`: the error of a call in
/// it, or cudaSuccess.
[[noreturn]] void throw_capture_failed(cudaError_t error, cudaError_t seen) {
  static_cast<void>(cudaGetLastError());
  std::string text = std::string(cudaGetErrorName(error)) + ": ";
  if (error == cudaErrorStreamCaptureUnjoined) {
    text +=
        "a stream that was forked from context.stream() was not joined to it again; record an "
        "event behind its work and let context.stream() wait for that";
  } else if (error == cudaErrorStreamCaptureInvalidated && seen != cudaSuccess &&
             seen != cudaErrorStreamCaptureUnsupported) {
    text += std::string("a call failed with ") + cudaGetErrorName(seen) + ", " +
            cudaGetErrorString(seen);
  } else if (error == cudaErrorStreamCaptureInvalidated) {
    text +=
        "a call was made that a capture does not allow: allocating or freeing memory, waiting for "
        "a stream or the device, a copy of pageable memory, or work for the legacy default stream";
  } else {
    text += cudaGetErrorString(error);
  }
  throw Error(ErrorCode::InvalidState, text);
}

/// Throws for what is not there, and for what cannot be moved into a graph, or into a loop.
void require_movable(cudaGraph_t captured, bool in_loop) {
  const std::vector<Node> nodes = nodes_of(captured);
  if (nodes.empty()) {
    throw Error(ErrorCode::InvalidState,
                "nothing was put on context.stream(): work on other streams, which are not forked "
                "from it, is no part of the graph");
  }
  for (const Node node : nodes) {
    const cudaGraphNodeType type = type_of(node);
    if (type == cudaGraphNodeTypeHost && in_loop) {
      throw Error(ErrorCode::NotSupported,
                  "it calls a function of the host, which a loop on the GPU cannot do; "
                  "'mode: graph' can");
    }
    const bool movable = type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
                         type == cudaGraphNodeTypeMemset || type == cudaGraphNodeTypeEmpty ||
                         type == cudaGraphNodeTypeHost || type == cudaGraphNodeTypeGraph;
    if (!movable) {
      throw_cannot_move(type);
    }
  }
}

Node copy_kernel(Node node, cudaGraph_t to) {
  CUDA_KERNEL_NODE_PARAMS params{};
  driver_check("cuGraphKernelNodeGetParams", driver().kernel_node_get_params(node, &params));
  Node copy = nullptr;
  driver_check("cuGraphAddKernelNode", driver().add_kernel_node(&copy, to, nullptr, 0, &params));
  driver_check("cuGraphKernelNodeCopyAttributes", driver().kernel_node_copy_attributes(copy, node));
  return copy;
}

Node copy_memcpy(Node node, cudaGraph_t to) {
  CUDA_MEMCPY3D params{};
  driver_check("cuGraphMemcpyNodeGetParams", driver().memcpy_node_get_params(node, &params));
  Node copy = nullptr;
  driver_check("cuGraphAddMemcpyNode",
               driver().add_memcpy_node(&copy, to, nullptr, 0, &params, current_context()));
  return copy;
}

Node copy_memset(Node node, cudaGraph_t to) {
  CUDA_MEMSET_NODE_PARAMS params{};
  driver_check("cuGraphMemsetNodeGetParams", driver().memset_node_get_params(node, &params));
  Node copy = nullptr;
  driver_check("cuGraphAddMemsetNode",
               driver().add_memset_node(&copy, to, nullptr, 0, &params, current_context()));
  return copy;
}

void drop(cudaGraph_t graph) {
  std::vector<GraphHandle> graphs;
  graphs.emplace_back(graph);
  destroy({}, std::move(graphs));
}

Node copy_node(Node node, cudaGraph_t to) {
  Node copy = nullptr;
  switch (type_of(node)) {
    case cudaGraphNodeTypeKernel:
      return copy_kernel(node, to);
    case cudaGraphNodeTypeMemcpy:
      return copy_memcpy(node, to);
    case cudaGraphNodeTypeMemset:
      return copy_memset(node, to);
    case cudaGraphNodeTypeEmpty:
      cuda_check("cudaGraphAddEmptyNode", cudaGraphAddEmptyNode(&copy, to, nullptr, 0));
      return copy;
    case cudaGraphNodeTypeHost: {
      cudaHostNodeParams params{};
      cuda_check("cudaGraphHostNodeGetParams", cudaGraphHostNodeGetParams(node, &params));
      cuda_check("cudaGraphAddHostNode", cudaGraphAddHostNode(&copy, to, nullptr, 0, &params));
      return copy;
    }
    case cudaGraphNodeTypeGraph: {
      cudaGraph_t child = nullptr;
      cuda_check("cudaGraphChildGraphNodeGetGraph", cudaGraphChildGraphNodeGetGraph(node, &child));
      // CUDA takes no graph that belongs to a node.
      cudaGraph_t clone = nullptr;
      cuda_check("cudaGraphClone", cudaGraphClone(&clone, child));
      const cudaError_t added = cudaGraphAddChildGraphNode(&copy, to, nullptr, 0, clone);
      drop(clone);
      cuda_check("cudaGraphAddChildGraphNode", added);
      return copy;
    }
    default:
      throw_cannot_move(type_of(node));
  }
}

cudaLaunchAttributeValue attribute_of(Node kernel, cudaLaunchAttributeID id) {
  cudaLaunchAttributeValue value{};
  cuda_check("cudaGraphKernelNodeGetAttribute",
             cudaGraphKernelNodeGetAttribute(kernel, id, &value));
  return value;
}

void set_attribute(Node kernel, cudaLaunchAttributeID id, const cudaLaunchAttributeValue& value) {
  cuda_check("cudaGraphKernelNodeSetAttribute",
             cudaGraphKernelNodeSetAttribute(kernel, id, &value));
}

/// A launch that brought a window of its own keeps it.
void keep_in_l2(Node kernel, const PieceAttributes& attributes) {
  constexpr cudaLaunchAttributeID kWindow = cudaLaunchAttributeAccessPolicyWindow;
  cudaLaunchAttributeValue value{};
  value.accessPolicyWindow = l2_window(attributes.device, attributes.kept_in_l2);
  if (value.accessPolicyWindow.num_bytes > 0 &&
      attribute_of(kernel, kWindow).accessPolicyWindow.num_bytes == 0) {
    set_attribute(kernel, kWindow, value);
  }
}

void set_attributes(Node node, const PieceAttributes& attributes) {
  const cudaGraphNodeType type = type_of(node);
  if (type == cudaGraphNodeTypeGraph) {
    cudaGraph_t child = nullptr;
    cuda_check("cudaGraphChildGraphNodeGetGraph", cudaGraphChildGraphNodeGetGraph(node, &child));
    for (const Node inner : nodes_of(child)) {
      set_attributes(inner, attributes);
    }
  }
  if (type != cudaGraphNodeTypeKernel) {
    return;
  }
  set_priority(node, attributes.traits.priority);
  if (attributes.kept_in_l2.bytes > 0) {
    keep_in_l2(node, attributes);
  }
  set_memory_sync_domain(node, attributes.memory_sync_domain);
}

}  // namespace

GraphHandle make_graph() {
  cudaGraph_t graph = nullptr;
  cuda_check("cudaGraphCreate", cudaGraphCreate(&graph, 0));
  return GraphHandle(graph);
}

GraphExecHandle instantiate(cudaGraph_t graph, cudaStream_t stream) {
  cudaGraphExec_t exec = nullptr;
  cuda_check("cudaGraphInstantiate",
             cudaGraphInstantiate(&exec, graph, cudaGraphInstantiateFlagUseNodePriority));
  GraphExecHandle owned(exec);
  cuda_check("cudaGraphUpload", cudaGraphUpload(exec, stream));
  return owned;
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

bool has_programmatic_edges(int device) {
  constexpr int kFirstMajor = 9;
  int major = 0;
  cuda_check("cudaDeviceGetAttribute",
             cudaDeviceGetAttribute(&major, cudaDevAttrComputeCapabilityMajor, device));
  return major >= kFirstMajor;
}

OwnedStream make_capture_stream(int device, int priority, const DevicePartition* partition) {
  int least = 0;
  int greatest = 0;
  cuda_check("cudaDeviceGetStreamPriorityRange",
             cudaDeviceGetStreamPriorityRange(&least, &greatest));
  const int clipped = std::clamp(priority, greatest, least);
  if (partition != nullptr) {
    if (partition->device() != device) {
      throw Error(ErrorCode::InvalidArgument, "a graph of GPU " + std::to_string(device) +
                                                  " cannot run in a partition of GPU " +
                                                  std::to_string(partition->device()));
    }
    return OwnedStream(static_cast<const GreenContext*>(partition)->make_stream(clipped));
  }
  StreamRef stream = nullptr;
  cuda_check("cudaStreamCreateWithPriority",
             cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking, clipped));
  return OwnedStream(stream);
}

GraphHandle capture_piece(cudaStream_t stream, const std::function<void(CUstream_st*)>& work,
                          bool in_loop) {
  static_cast<void>(cudaGetLastError());  // of somebody before, who did not look at it
  cuda_check("cudaStreamBeginCapture",
             cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  cudaGraph_t captured = nullptr;
  std::string elsewhere;
  try {
    std::optional<CaptureWatch> watch;
    if (runtime().checks_streams()) {
      watch.emplace();
    }
    work(stream);
    elsewhere = watch ? watch->call_elsewhere() : std::string();
  } catch (...) {
    static_cast<void>(cudaStreamEndCapture(stream, &captured));
    drop(captured);
    static_cast<void>(cudaGetLastError());
    throw;
  }
  const cudaError_t seen = cudaGetLastError();
  const cudaError_t result = cudaStreamEndCapture(stream, &captured);
  try {
    if (result != cudaSuccess) {
      throw_capture_failed(result, seen);
    }
    // A launch that failed is no part of the graph, and nobody else will say so.
    cuda_check("cudaGetLastError", seen);
    if (!elsewhere.empty()) {
      throw Error(ErrorCode::InvalidState,
                  elsewhere +
                      " put work on a stream that is not captured, where it is no part of the "
                      "graph; use context.stream(), or a stream that is forked from it");
    }
    require_movable(captured, in_loop);
  } catch (...) {
    drop(captured);
    throw;
  }
  return GraphHandle(captured);
}

GraphPiece copy_piece(cudaGraph_t from, cudaGraph_t to, const PieceAttributes& attributes) {
  const std::vector<Node> nodes = nodes_of(from);
  std::unordered_map<Node, Node> copies;
  for (const Node node : nodes) {
    const Node copy = copy_node(node, to);
    copies.emplace(node, copy);
    set_attributes(copy, attributes);
  }

  Edges edges = edges_of(from);
  std::unordered_set<Node> waiting;
  std::unordered_set<Node> awaited;
  for (std::size_t i = 0; i < edges.from.size(); ++i) {
    edges.from[i] = copies.at(edges.from[i]);
    edges.to[i] = copies.at(edges.to[i]);
    awaited.insert(edges.from[i]);
    waiting.insert(edges.to[i]);
  }
  if (!edges.from.empty()) {
    cuda_check("cudaGraphAddDependencies",
               cudaGraphAddDependencies(to, edges.from.data(), edges.to.data(), edges.data.data(),
                                        edges.from.size()));
  }
  GraphPiece piece;
  piece.nodes = nodes.size();
  piece.dependent_launch = attributes.traits.dependent_launch && attributes.programmatic_edges;
  for (const Node node : nodes) {
    const Node copy = copies.at(node);
    piece.all.push_back(copy);
    if (!waiting.contains(copy)) {
      piece.first.push_back(copy);
    }
    if (!awaited.contains(copy)) {
      piece.last.push_back(copy);
    }
  }
  return piece;
}

void join_pieces(cudaGraph_t graph, const GraphPiece& before, const GraphPiece& behind) {
  const bool both = before.dependent_launch && behind.dependent_launch;
  for (const Node from : before.last) {
    for (const Node to : behind.first) {
      cudaGraphEdgeData edge{};
      if (both && type_of(from) == cudaGraphNodeTypeKernel &&
          type_of(to) == cudaGraphNodeTypeKernel) {
        edge.from_port = cudaGraphKernelNodePortProgrammatic;
        edge.type = cudaGraphDependencyTypeProgrammatic;
      }
      cuda_check("cudaGraphAddDependencies", cudaGraphAddDependencies(graph, &from, &to, &edge, 1));
    }
  }
}

void destroy(GraphExecHandle exec, std::vector<GraphHandle> graphs) noexcept {
  auto all = std::make_shared<std::pair<GraphExecHandle, std::vector<GraphHandle>>>(
      std::move(exec), std::move(graphs));
  runtime().when_no_loop_runs([all = std::move(all)] { *all = {}; });
}

}  // namespace gxr::cuda

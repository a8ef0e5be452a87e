#include "graph.hpp"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "driver.hpp"
#include "gxr/error.hpp"

namespace gxr::cuda {

namespace {

/// Kernels that are captured from it have its priority.
OwnedStream make_capture_stream(int priority) {
  int least = 0;
  int greatest = 0;
  cuda_check("cudaDeviceGetStreamPriorityRange",
             cudaDeviceGetStreamPriorityRange(&least, &greatest));
  StreamRef stream = nullptr;
  cuda_check("cudaStreamCreateWithPriority",
             cudaStreamCreateWithPriority(&stream, cudaStreamNonBlocking,
                                          std::clamp(priority, greatest, least)));
  return OwnedStream(stream);
}

GraphHandle make_graph() {
  cudaGraph_t graph = nullptr;
  cuda_check("cudaGraphCreate", cudaGraphCreate(&graph, 0));
  return GraphHandle(graph);
}

std::vector<cudaGraphNode_t> nodes_of(cudaGraph_t graph) {
  std::size_t count = 0;
  cuda_check("cudaGraphGetNodes", cudaGraphGetNodes(graph, nullptr, &count));
  std::vector<cudaGraphNode_t> nodes(count);
  if (count > 0) {
    cuda_check("cudaGraphGetNodes", cudaGraphGetNodes(graph, nodes.data(), &count));
  }
  return nodes;
}

struct Edges {
  std::vector<cudaGraphNode_t> from;
  std::vector<cudaGraphNode_t> to;
  std::vector<cudaGraphEdgeData> data;
};

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

void driver_check(const char* call, CUresult result) {
  if (result != CUDA_SUCCESS) {
    const char* name = nullptr;
    driver().get_error_name(result, &name);
    throw Error(ErrorCode::Device,
                std::string(call) + ": " + (name != nullptr ? name : "unknown error"));
  }
}

CUcontext current_context() {
  CUcontext context = nullptr;
  driver_check("cuCtxGetCurrent", driver().context_get_current(&context));
  return context;
}

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

[[noreturn]] void throw_not_written(const std::string& file) {
  throw Error(ErrorCode::InputOutput, "cannot write '" + file + "'");
}

void begin_file(const std::string& file) {
  if (!std::ofstream(file, std::ios::trunc)) {
    throw_not_written(file);
  }
}

/// Nothing says that the driver reports a full disk.
void require_complete(const std::string& file) {
  if (!std::filesystem::is_regular_file(file)) {
    return;  // a pipe, perhaps
  }
  std::ifstream written(file);
  char last = '\0';
  for (char c = '\0'; written >> c;) {
    last = c;
  }
  if (last != '}') {
    throw_not_written(file);
  }
}

}  // namespace

RuntimeGraph::RuntimeGraph(int device, int priority) : device_(device) {
  const DeviceGuard guard(device_);
  stream_ = make_capture_stream(priority);
  graph_ = make_graph();
}

RuntimeGraph::~RuntimeGraph() = default;

GraphHandle RuntimeGraph::capture(const std::function<void(CUstream_st*)>& work) const {
  static_cast<void>(cudaGetLastError());  // of somebody before, who did not look at it
  cuda_check("cudaStreamBeginCapture",
             cudaStreamBeginCapture(stream_.get(), cudaStreamCaptureModeThreadLocal));
  cudaGraph_t captured = nullptr;
  try {
    work(stream_.get());
  } catch (...) {
    static_cast<void>(cudaStreamEndCapture(stream_.get(), &captured));
    const GraphHandle dropped(captured);
    static_cast<void>(cudaGetLastError());
    throw;
  }
  const cudaError_t seen = cudaGetLastError();
  const cudaError_t result = cudaStreamEndCapture(stream_.get(), &captured);
  GraphHandle owned(captured);
  if (result != cudaSuccess) {
    throw_capture_failed(result, seen);
  }
  // A launch that failed is no part of the graph, and nobody else will say so.
  cuda_check("cudaGetLastError", seen);
  return owned;
}

std::size_t RuntimeGraph::add(const std::function<void(CUstream_st*)>& work,
                              const std::vector<std::size_t>& after, const GraphTraits& traits) {
  const DeviceGuard guard(device_);
  GraphHandle captured = capture(work);
  Piece piece = copy_nodes(captured.get(), traits);
  if (piece.first.empty()) {
    throw Error(ErrorCode::InvalidState,
                "nothing was put on context.stream(): work on other streams, which are not forked "
                "from it, is no part of the graph");
  }
  for (const std::size_t before : after) {
    join(pieces_.at(before), piece);
  }
  pieces_.push_back(std::move(piece));
  captured_.push_back(std::move(captured));
  return pieces_.size() - 1;
}

RuntimeGraph::Piece RuntimeGraph::copy_nodes(cudaGraph_t from, const GraphTraits& traits) {
  const std::vector<Node> nodes = nodes_of(from);
  for (const Node node : nodes) {
    const cudaGraphNodeType type = type_of(node);
    const bool movable = type == cudaGraphNodeTypeKernel || type == cudaGraphNodeTypeMemcpy ||
                         type == cudaGraphNodeTypeMemset || type == cudaGraphNodeTypeEmpty ||
                         type == cudaGraphNodeTypeHost || type == cudaGraphNodeTypeGraph;
    if (!movable) {
      throw_cannot_move(type);
    }
  }
  std::unordered_map<Node, Node> copies;
  for (const Node node : nodes) {
    const Node copy = copy_node(node);
    copies.emplace(node, copy);
    if (traits.priority != 0 && type_of(node) == cudaGraphNodeTypeKernel) {
      cudaLaunchAttributeValue value{};
      value.priority = traits.priority;
      cuda_check("cudaGraphKernelNodeSetAttribute",
                 cudaGraphKernelNodeSetAttribute(copy, cudaLaunchAttributePriority, &value));
    }
  }
  nodes_ += nodes.size();

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
               cudaGraphAddDependencies(graph_.get(), edges.from.data(), edges.to.data(),
                                        edges.data.data(), edges.from.size()));
  }
  Piece piece;
  piece.dependent_launch = traits.dependent_launch;
  for (const Node node : nodes) {
    const Node copy = copies.at(node);
    if (!waiting.contains(copy)) {
      piece.first.push_back(copy);
    }
    if (!awaited.contains(copy)) {
      piece.last.push_back(copy);
    }
  }
  return piece;
}

RuntimeGraph::Node RuntimeGraph::copy_node(Node node) {
  Node copy = nullptr;
  switch (type_of(node)) {
    case cudaGraphNodeTypeKernel:
      return copy_kernel(node);
    case cudaGraphNodeTypeMemcpy:
      return copy_memcpy(node);
    case cudaGraphNodeTypeMemset:
      return copy_memset(node);
    case cudaGraphNodeTypeEmpty:
      cuda_check("cudaGraphAddEmptyNode", cudaGraphAddEmptyNode(&copy, graph_.get(), nullptr, 0));
      return copy;
    case cudaGraphNodeTypeHost: {
      cudaHostNodeParams params{};
      cuda_check("cudaGraphHostNodeGetParams", cudaGraphHostNodeGetParams(node, &params));
      cuda_check("cudaGraphAddHostNode",
                 cudaGraphAddHostNode(&copy, graph_.get(), nullptr, 0, &params));
      return copy;
    }
    case cudaGraphNodeTypeGraph: {
      cudaGraph_t child = nullptr;
      cuda_check("cudaGraphChildGraphNodeGetGraph", cudaGraphChildGraphNodeGetGraph(node, &child));
      cuda_check("cudaGraphAddChildGraphNode",
                 cudaGraphAddChildGraphNode(&copy, graph_.get(), nullptr, 0, child));
      return copy;
    }
    default:
      throw_cannot_move(type_of(node));
  }
}

RuntimeGraph::Node RuntimeGraph::copy_kernel(Node node) {
  CUDA_KERNEL_NODE_PARAMS params{};
  driver_check("cuGraphKernelNodeGetParams", driver().kernel_node_get_params(node, &params));
  Node copy = nullptr;
  driver_check("cuGraphAddKernelNode",
               driver().add_kernel_node(&copy, graph_.get(), nullptr, 0, &params));
  driver_check("cuGraphKernelNodeCopyAttributes", driver().kernel_node_copy_attributes(copy, node));
  return copy;
}

RuntimeGraph::Node RuntimeGraph::copy_memcpy(Node node) {
  CUDA_MEMCPY3D params{};
  driver_check("cuGraphMemcpyNodeGetParams", driver().memcpy_node_get_params(node, &params));
  Node copy = nullptr;
  driver_check("cuGraphAddMemcpyNode", driver().add_memcpy_node(&copy, graph_.get(), nullptr, 0,
                                                                &params, current_context()));
  return copy;
}

RuntimeGraph::Node RuntimeGraph::copy_memset(Node node) {
  CUDA_MEMSET_NODE_PARAMS params{};
  driver_check("cuGraphMemsetNodeGetParams", driver().memset_node_get_params(node, &params));
  Node copy = nullptr;
  driver_check("cuGraphAddMemsetNode", driver().add_memset_node(&copy, graph_.get(), nullptr, 0,
                                                                &params, current_context()));
  return copy;
}

/// Puts `behind` behind `before`.
void RuntimeGraph::join(const Piece& before, const Piece& behind) {
  const bool both = before.dependent_launch && behind.dependent_launch;
  for (const Node from : before.last) {
    for (const Node to : behind.first) {
      cudaGraphEdgeData edge{};
      if (both && type_of(from) == cudaGraphNodeTypeKernel &&
          type_of(to) == cudaGraphNodeTypeKernel) {
        edge.from_port = cudaGraphKernelNodePortProgrammatic;
        edge.type = cudaGraphDependencyTypeProgrammatic;
      }
      cuda_check("cudaGraphAddDependencies",
                 cudaGraphAddDependencies(graph_.get(), &from, &to, &edge, 1));
    }
  }
}

void RuntimeGraph::instantiate() {
  const DeviceGuard guard(device_);
  cudaGraphExec_t exec = nullptr;
  cuda_check("cudaGraphInstantiate",
             cudaGraphInstantiate(&exec, graph_.get(), cudaGraphInstantiateFlagUseNodePriority));
  exec_ = GraphExecHandle(exec);
  cuda_check("cudaGraphUpload", cudaGraphUpload(exec, stream_.get()));
}

void RuntimeGraph::launch(CUstream_st* stream, std::uint64_t number, std::uint64_t* counter) {
  if (exec_.get() == nullptr) {
    throw Error(ErrorCode::InvalidState, "a CUDA graph was launched before its instantiate()");
  }
  if (counter != nullptr) {
    // So few bytes are read before the call returns.
    cuda_check("cudaMemcpyAsync",
               cudaMemcpyAsync(counter, &number, sizeof number, cudaMemcpyHostToDevice, stream));
  }
  cuda_check("cudaGraphLaunch", cudaGraphLaunch(exec_.get(), stream));
}

void RuntimeGraph::write_dot(const std::string& file) const {
  const DeviceGuard guard(device_);
  begin_file(file);
  // All flags together fill pages for every kernel.
  constexpr unsigned kFlags =
      cudaGraphDebugDotFlagsKernelNodeParams | cudaGraphDebugDotFlagsMemcpyNodeParams |
      cudaGraphDebugDotFlagsMemsetNodeParams | cudaGraphDebugDotFlagsHostNodeParams;
  cuda_check("cudaGraphDebugDotPrint", cudaGraphDebugDotPrint(graph_.get(), file.c_str(), kFlags));
  require_complete(file);
}

}  // namespace gxr::cuda

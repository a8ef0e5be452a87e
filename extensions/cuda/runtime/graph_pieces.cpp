#include "graph_pieces.hpp"

#include <algorithm>
#include <optional>
#include <string>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "capture_log.hpp"
#include "capture_watch.hpp"
#include "cuda_call.hpp"
#include "cuda_nodes.hpp"
#include "graph_attributes.hpp"
#include "graph_kernels.hpp"
#include "gxr/error.hpp"
#include "partition.hpp"
#include "runtime.hpp"

namespace gxr::cuda {
namespace {

using Node = cudaGraphNode_t;

/// The error in a capture about which `work` did not complain. `seen`: the error of a call in
/// it, or cudaSuccess; `log`: what CUDA said about it, may be empty.
[[noreturn]] void throw_capture_failed(cudaError_t error, cudaError_t seen,
                                       const std::string& log) {
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
        "a stream, an event or the device, or asking whether they are done";
  } else {
    text += cudaGetErrorString(error);
  }
  if (!log.empty()) {
    text += "; CUDA says: " + log;
  }
  throw Error(ErrorCode::InvalidState, text);
}

/// Has `work` put on `stream`, whose capture was begun, and ends that in any case. `captured`: what
/// CUDA gives at the end, also when this throws.
void run_capture(cudaStream_t stream, const CapturedWork& work, cudaGraph_t& captured) {
  std::string elsewhere;
  const CaptureLog log;
  try {
    std::optional<CaptureWatch> watch;
    if (runtime().tools().checks_streams()) {
      watch.emplace();
    }
    work(stream);
    elsewhere = watch ? watch->call_elsewhere() : std::string();
  } catch (...) {
    static_cast<void>(cudaStreamEndCapture(stream, &captured));
    static_cast<void>(cudaGetLastError());
    throw;
  }
  const cudaError_t seen = cudaGetLastError();
  const cudaError_t result = cudaStreamEndCapture(stream, &captured);
  if (result != cudaSuccess) {
    throw_capture_failed(result, seen, log.first());
  }
  // A launch that failed is no part of the graph, and no other call will say so.
  cuda_check("cudaGetLastError", seen);
  if (!elsewhere.empty()) {
    throw Error(ErrorCode::InvalidState,
                elsewhere +
                    " put work on a stream that is not captured, where it is no part of the "
                    "graph; use context.stream(), or a stream that is forked from it");
  }
}

/// A kernel in the place of a node without work. As its neighbours, it is not launched with a lower
/// priority than the graph's.
Node add_stand_in(cudaGraph_t graph, PieceOptions piece_options) {
  if (piece_options.traits.priority == 0) {
    piece_options.traits.priority = piece_options.graph_priority;
  }
  return add_kernel(graph, empty_kernel(), 1, 1, nullptr, piece_options).first.front();
}

/// `edges`: of the graph that the nodes are of, or those between them.
GraphPiece piece_of(std::vector<Node> nodes, const Edges& edges,
                    const PieceOptions& piece_options) {
  const std::unordered_set<Node> own(nodes.begin(), nodes.end());
  std::unordered_set<Node> waiting;
  std::unordered_set<Node> awaited;
  for (std::size_t i = 0; i < edges.from.size(); ++i) {
    if (own.contains(edges.from[i]) && own.contains(edges.to[i])) {
      awaited.insert(edges.from[i]);
      waiting.insert(edges.to[i]);
    }
  }
  GraphPiece piece;
  piece.dependent_launch =
      piece_options.traits.dependent_launch && piece_options.programmatic_edges;
  piece.nodes = nodes.size();
  for (const Node node : nodes) {
    if (!waiting.contains(node)) {
      piece.first.push_back(node);
    }
    if (!awaited.contains(node)) {
      piece.last.push_back(node);
    }
  }
  piece.all = std::move(nodes);
  return piece;
}

/// Adds the edges from each of `before` to the first nodes of a piece that are not there.
void put_behind(cudaGraph_t graph, const std::vector<Node>& before, const GraphPiece& piece,
                const Edges& edges) {
  for (const Node to : piece.first) {
    std::unordered_set<Node> awaited;
    for (std::size_t i = 0; i < edges.to.size(); ++i) {
      if (edges.to[i] == to) {
        awaited.insert(edges.from[i]);
      }
    }
    for (const Node from : before) {
      if (!awaited.contains(from)) {
        cuda_check("cudaGraphAddDependencies",
                   cudaGraphAddDependencies(graph, &from, &to, nullptr, 1));
      }
    }
  }
}

/// Behind all else of the piece. Without it, that memory would stay when the graph is gone.
void free_what_is_left(cudaGraph_t graph, GraphPiece& piece) {
  for (void* const left : memory_left_by(piece.all)) {
    Node node = nullptr;
    cuda_check("cudaGraphAddMemFreeNode",
               cudaGraphAddMemFreeNode(&node, graph, piece.last.data(), piece.last.size(), left));
    piece.last = {node};
    piece.all.push_back(node);
    ++piece.nodes;
  }
}

}  // namespace

GraphPiece add_kernel(cudaGraph_t graph, const void* kernel, unsigned blocks, unsigned threads,
                      void** arguments, const PieceOptions& piece_options) {
  cudaKernelNodeParams params{};
  params.func = const_cast<void*>(kernel);
  params.gridDim = dim3(blocks);
  params.blockDim = dim3(threads);
  params.kernelParams = arguments;
  Node node = nullptr;
  cuda_check("cudaGraphAddKernelNode", cudaGraphAddKernelNode(&node, graph, nullptr, 0, &params));
  set_priority(node, piece_options.traits.priority);
  set_memory_sync_domain(node, piece_options.memory_sync_domain);
  return {{node}, {node}, piece_options.programmatic_edges, 1, {node}};
}

GraphHandle make_graph() {
  cudaGraph_t graph = nullptr;
  cuda_check("cudaGraphCreate", cudaGraphCreate(&graph, 0));
  return GraphHandle(graph);
}

void destroy_when_may_wait(GraphHandle& graph) noexcept {
  if (graph.get() != nullptr) {
    runtime().in_flight().when_may_wait(
        [handle = graph.get()] { static_cast<void>(cudaGraphDestroy(handle)); });
    graph.release();
  }
}

void destroy_when_may_wait(GraphExecHandle& exec) noexcept {
  if (exec.get() != nullptr) {
    runtime().in_flight().when_may_wait(
        [handle = exec.get()] { static_cast<void>(cudaGraphExecDestroy(handle)); });
    exec.release();
  }
}

GraphHandle make_empty_piece() {
  GraphHandle graph = make_graph();
  Node node = nullptr;
  cuda_check("cudaGraphAddEmptyNode", cudaGraphAddEmptyNode(&node, graph.get(), nullptr, 0));
  return graph;
}

GraphExecHandle instantiate(cudaGraph_t graph, cudaStream_t stream, bool by_kernels) {
  const bool allocates = has_memory_nodes(graph);
  // A child graph may allocate what it does not free.
  const unsigned long long flags =
      cudaGraphInstantiateFlagUseNodePriority |
      (by_kernels ? static_cast<unsigned long long>(cudaGraphInstantiateFlagDeviceLaunch) : 0) |
      (allocates ? static_cast<unsigned long long>(cudaGraphInstantiateFlagAutoFreeOnLaunch) : 0);
  cudaGraphExec_t exec = nullptr;
  const cudaError_t result = cudaGraphInstantiate(&exec, graph, flags);
  cuda_check(by_kernels ? "cudaGraphInstantiate (of a graph that the GPU launches, which has "
                          "kernels, copies and memsets within the memory of one GPU only)"
                        : "cudaGraphInstantiate",
             result);
  GraphExecHandle owned(exec);
  // An upload maps memory for its stream, which a launch on another one would have to do again.
  if (!allocates) {
    cuda_check("cudaGraphUpload", cudaGraphUpload(exec, stream));
  }
  return owned;
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

void run_now(cudaStream_t stream, const CapturedWork& work) {
  static_cast<void>(cudaGetLastError());  // of a call before, which was not checked
  try {
    work(stream);
  } catch (...) {
    static_cast<void>(cudaStreamSynchronize(stream));  // it may use memory that goes now
    throw;
  }
  cuda_check("cudaStreamSynchronize", cudaStreamSynchronize(stream));
}

GraphHandle capture_piece(cudaStream_t stream, const CapturedWork& work, PiecePlace place) {
  static_cast<void>(cudaGetLastError());  // of a call before, which was not checked
  cuda_check("cudaStreamBeginCapture",
             cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal));
  cudaGraph_t captured = nullptr;
  try {
    run_capture(stream, work, captured);
    require_movable(captured, place);
  } catch (...) {
    const GraphHandle of_no_use(captured);
    throw;
  }
  return GraphHandle(captured);
}

CapturedWork copy_work(const DeviceCopy& copy) {
  return [copy](CUstream_st* stream) {
    cuda_check("cudaMemcpyAsync",
               cudaMemcpyAsync(copy.to, copy.from, copy.bytes, cudaMemcpyDeviceToDevice, stream));
  };
}

GraphPiece capture_into(cudaGraph_t graph, cudaStream_t stream, const CapturedWork& work,
                        const std::vector<const GraphPiece*>& before,
                        const PieceOptions& piece_options) {
  std::vector<Node> awaited;
  for (const GraphPiece* const piece : before) {
    awaited.insert(awaited.end(), piece->last.begin(), piece->last.end());
  }
  const std::vector<Node> others = nodes_of(graph);
  static_cast<void>(cudaGetLastError());  // of a call before, which was not checked
  // Memory that those in front have freed can be given again, since CUDA knows that they are.
  cuda_check("cudaStreamBeginCaptureToGraph",
             cudaStreamBeginCaptureToGraph(stream, graph, awaited.data(), nullptr, awaited.size(),
                                           cudaStreamCaptureModeThreadLocal));
  cudaGraph_t captured = nullptr;  // will be `graph`, which has an owner
  run_capture(stream, work, captured);

  const std::unordered_set<Node> known(others.begin(), others.end());
  std::vector<Node> nodes = nodes_of(graph);
  std::erase_if(nodes, [&](Node node) { return known.contains(node); });
  require_known(nodes);  // it may do something else than when it was captured alone
  for (const Node node : nodes) {
    set_attributes(node, piece_options);
  }
  const Edges edges = edges_of(graph);
  GraphPiece piece = piece_of(std::move(nodes), edges, piece_options);
  put_behind(graph, awaited, piece, edges);
  free_what_is_left(graph, piece);
  return piece;
}

GraphPiece copy_piece(cudaGraph_t from, cudaGraph_t to, const PieceOptions& piece_options) {
  std::unordered_map<Node, Node> copies;
  std::vector<Node> nodes;
  for (const Node node : nodes_of(from)) {
    const bool stands_in = piece_options.by_kernels && type_of(node) == cudaGraphNodeTypeEmpty;
    const Node copy = stands_in ? add_stand_in(to, piece_options) : copy_node(node, to);
    copies.emplace(node, copy);
    nodes.push_back(copy);
    set_attributes(copy, piece_options);
  }

  Edges edges = edges_of(from);
  for (std::size_t i = 0; i < edges.from.size(); ++i) {
    edges.from[i] = copies.at(edges.from[i]);
    edges.to[i] = copies.at(edges.to[i]);
  }
  if (!edges.from.empty()) {
    cuda_check("cudaGraphAddDependencies",
               cudaGraphAddDependencies(to, edges.from.data(), edges.to.data(), edges.data.data(),
                                        edges.from.size()));
  }
  return piece_of(std::move(nodes), edges, piece_options);
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

}  // namespace gxr::cuda

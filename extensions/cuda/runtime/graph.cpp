#include "graph.hpp"

#include <string>
#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "graph_dot.hpp"
#include "gxr/error.hpp"

namespace gxr::cuda {
namespace {

GraphHandle make_graph() {
  cudaGraph_t graph = nullptr;
  cuda_check("cudaGraphCreate", cudaGraphCreate(&graph, 0));
  return GraphHandle(graph);
}

}  // namespace

RuntimeGraph::RuntimeGraph(int device, int priority) : device_(device) {
  const DeviceGuard guard(device_);
  stream_ = make_capture_stream(priority);
  graph_ = make_graph();
}

RuntimeGraph::~RuntimeGraph() {
  captured_.push_back(std::move(graph_));
  destroy(std::move(exec_), std::move(captured_));
}

std::size_t RuntimeGraph::add(const std::function<void(CUstream_st*)>& work,
                              const std::vector<std::size_t>& after, const GraphTraits& traits) {
  const DeviceGuard guard(device_);
  GraphHandle captured = capture_piece(stream_.get(), work, false);
  GraphPiece piece = copy_piece(captured.get(), graph_.get(), traits);
  for (const std::size_t before : after) {
    join_pieces(graph_.get(), pieces_.at(before), piece);
  }
  nodes_ += piece.nodes;
  pieces_.push_back(std::move(piece));
  captured_.push_back(std::move(captured));
  return pieces_.size() - 1;
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
  cuda::write_dot(graph_.get(), file);
}

}  // namespace gxr::cuda

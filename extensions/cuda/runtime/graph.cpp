#include "graph.hpp"

#include <string>
#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "graph_dot.hpp"
#include "gxr/error.hpp"
#include "partition.hpp"

namespace gxr::cuda {

RuntimeGraph::RuntimeGraph(const DeviceGraphOptions& options)
    : options_(options), programmatic_edges_(has_programmatic_edges(options.device)) {
  const DeviceGuard guard(options_.device);
  stream_ = make_capture_stream(options_.device, options_.priority, options_.partition);
  graph_ = make_graph();
}

RuntimeGraph::~RuntimeGraph() {
  captured_.push_back(std::move(graph_));
  destroy(std::move(exec_), std::move(captured_));
}

std::size_t RuntimeGraph::add(const std::function<void(CUstream_st*)>& work,
                              const std::vector<std::size_t>& after, const GraphTraits& traits,
                              const DeviceRange& kept_in_l2) {
  const DeviceGuard guard(options_.device);
  in_l2_.emplace_back(options_.device, kept_in_l2.bytes);
  const PartitionGuard partition(options_.partition);
  // At once a member: should the rest fail, a loop may run, for which destroying it would wait.
  captured_.push_back(capture_piece(stream_.get(), work, false));
  GraphPiece piece = copy_piece(
      captured_.back().get(), graph_.get(),
      {traits, kept_in_l2, options_.device, programmatic_edges_, options_.memory_sync_domain});
  for (const std::size_t before : after) {
    join_pieces(graph_.get(), pieces_.at(before), piece);
  }
  nodes_ += piece.nodes;
  pieces_.push_back(std::move(piece));
  return pieces_.size() - 1;
}

void RuntimeGraph::instantiate() {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  exec_ = cuda::instantiate(graph_.get(), stream_.get());
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
  const DeviceGuard guard(options_.device);
  cuda::write_dot(graph_.get(), file);
}

}  // namespace gxr::cuda

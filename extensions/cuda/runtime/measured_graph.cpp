#include "measured_graph.hpp"

#include <utility>

#include "cuda_call.hpp"
#include "graph_changes.hpp"

namespace gxr::cuda {
namespace {

std::vector<MeasuredRecords::Node> measured_nodes(const GraphNodes& nodes) {
  std::vector<MeasuredRecords::Node> measured;
  for (const GraphNode& node : nodes) {
    measured.push_back({node.node.after, node.node.body,
                        node.is_branch() ? node.node.branch.bodies : std::uint32_t{0}});
  }
  return measured;
}

}  // namespace

MeasuredGraph::MeasuredGraph(const DeviceGraphOptions& options, const GraphNodes& nodes,
                             StreamRef stream)
    : every_(options.instrument_every),
      records_(options.device, options.instrument_every, measured_nodes(nodes)),
      number_(sizeof(std::uint64_t), MemoryStorageType::Device, options.device) {
  records_.begin(stream);
}

bool MeasuredGraph::begin_launch() noexcept { return launches_++ % every_ == 0; }

Stamps MeasuredGraph::stamps(const PieceOptions& piece_options, cudaGraph_t graph) const {
  return {records_, reinterpret_cast<const std::uint64_t*>(number_.get()), piece_options, graph};
}

void MeasuredGraph::set(LaidGraph graph, GraphExecHandle exec) {
  exec_ = std::move(exec);
  graph_ = std::move(graph);
}

cudaGraphExec_t MeasuredGraph::next(StreamRef stream) const {
  const std::uint64_t number = launches_ - 1;
  // So few bytes are read before the call returns.
  cuda_check("cudaMemcpyAsync", cudaMemcpyAsync(number_.get(), &number, sizeof number,
                                                cudaMemcpyHostToDevice, stream));
  return exec_.get();
}

void MeasuredGraph::enable(NodeId node, bool on) const {
  if (graph_) {
    enable_nodes(exec_.get(), graph_->layout.piece(node).all, on);
  }
}

void MeasuredGraph::destroy_late() noexcept {
  destroy_when_may_wait(exec_);
  if (graph_) {
    destroy_when_may_wait(graph_->graph);
  }
}

void MeasuredGraph::retire(RetiredGraph& old) {
  if (graph_) {
    old.execs.push_back(std::exchange(exec_, {}));
    old.graphs.push_back(std::move(graph_->graph));
    graph_.reset();
  }
}

}  // namespace gxr::cuda

#include "graph.hpp"

#include <string>
#include <tuple>
#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "graph_changes.hpp"
#include "graph_dot.hpp"
#include "gxr/error.hpp"
#include "partition.hpp"
#include "runtime.hpp"

namespace gxr::cuda {
namespace {

/// While the device is the current one.
OwnedStream make_graph_stream(const DeviceGraphOptions& options) {
  const DeviceGuard guard(options.device);
  return make_capture_stream(options.device, options.priority, options.partition);
}

}  // namespace

RuntimeGraph::RuntimeGraph(const DeviceGraphOptions& options)
    : options_(options),
      stream_(make_graph_stream(options)),
      nodes_(options, stream_.get()),
      switched_(options.device) {
  const DeviceGuard guard(options_.device);
  laid_ = nodes_.begin_graph();
}

/// See GraphNodes::destroy().
RuntimeGraph::~RuntimeGraph() {
  if (!nodes_.has_branches()) {
    return;
  }
  retired_.destroy_all_late();
  if (measured_) {
    measured_->destroy_late();
  }
  destroy_when_may_wait(exec_);
  destroy_when_may_wait(laid_.graph);
}

NodeId RuntimeGraph::add(const CapturedWork& work, const DeviceNode& node,
                         const DeviceRange& l2_range) {
  const DeviceGuard guard(options_.device);
  in_l2_.emplace_back(options_.device, l2_range.bytes);
  const PartitionGuard partition(options_.partition);
  const NodeId number = nodes_.add(work, node, l2_range);
  nodes_.lay(number, laid_);
  return number;
}

void RuntimeGraph::prepare(const CapturedWork& work) {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  run_now(stream_.get(), work);
}

NodeId RuntimeGraph::add_branch(const BranchMemory& memory, const DeviceNode& node) {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  const NodeId number = nodes_.add_branch(memory, node);
  nodes_.lay(number, laid_);
  return number;
}

std::size_t RuntimeGraph::nodes() const noexcept {
  std::size_t sum = 0;
  for (NodeId number = 0; number < nodes_.size(); ++number) {
    sum += laid_.layout.piece(number).nodes;
  }
  return sum;
}

void RuntimeGraph::count_launches(std::uint64_t* counter, std::uint64_t next) {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  counter_.emplace(counter, next, stream_.get());
  if (exec_.get() == nullptr) {
    counter_->place(nodes_, laid_);
    counter_->note_placed();
  }
}

void RuntimeGraph::instantiate() {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  laid_.layout.close();
  if (auto switched = try_switched()) {
    destroy_when_may_wait(laid_.graph);
    std::tie(laid_, exec_) = std::move(*switched);
  } else {
    exec_ = cuda::instantiate(laid_.graph.get(), stream_.get());
  }
  if (options_.instrument_every > 0) {
    measured_.emplace(options_, nodes_, stream_.get());
  }
}

/// The graph with the bodies switched that may be; nothing when there are none, or CUDA refuses it.
std::optional<std::pair<LaidGraph, GraphExecHandle>> RuntimeGraph::try_switched() {
  if (!switched_.may_make()) {
    nodes_.choose_conditional();
    return std::nullopt;
  }
  if (!nodes_.choose_switched()) {
    return std::nullopt;
  }
  LaidGraph graph;
  try {
    graph = assemble();
    switched_.add(graph.layout.switched(), stream_.get());
    GraphExecHandle exec = instantiate(graph);
    return std::pair(std::move(graph), std::move(exec));
  } catch (const Error&) {
    static_cast<void>(cudaGetLastError());
    nodes_.destroy(graph.graph);
    switched_.note_refused();
    nodes_.choose_conditional();
    return std::nullopt;
  }
}

/// When that fails, the graph is given up.
GraphExecHandle RuntimeGraph::instantiate(LaidGraph& graph) const {
  try {
    return cuda::instantiate(graph.graph.get(), stream_.get());
  } catch (...) {
    nodes_.destroy(graph.graph);
    throw;
  }
}

/// The graph of the next iteration.
cudaGraphExec_t RuntimeGraph::to_launch(cudaStream_t stream) {
  if (!measured_ || !measured_->begin_launch()) {
    return exec_.get();
  }
  if (!measured_->is_made()) {
    const DeviceGuard guard(options_.device);
    const PartitionGuard partition(options_.partition);
    LaidGraph graph = assemble(&*measured_);
    GraphExecHandle exec = instantiate(graph);
    nodes_.disable(exec.get(), graph.layout);
    measured_->set(std::move(graph), std::move(exec));
  }
  return measured_->next(stream);
}

std::vector<MeasuredIteration> RuntimeGraph::measured_until_now(std::size_t most) const {
  return measured_ ? measured_->read(most) : std::vector<MeasuredIteration>{};
}

std::vector<MeasuredIteration> RuntimeGraph::measured() {
  if (measured_ && !runtime().in_flight().is_given_up(options_.device)) {
    try {
      const DeviceGuard guard(options_.device);
      measured_->end(stream_.get());
    } catch (const Error&) {
      // The device has failed; its clock was compared at the begin.
    }
  }
  return measured_until_now();
}

void RuntimeGraph::launch(CUstream_st* stream) {
  if (exec_.get() == nullptr) {
    throw Error(ErrorCode::InvalidState, "a CUDA graph was launched before its instantiate()");
  }
  retired_.destroy_done(nodes_.has_branches());
  check();
  if (wants_another_) {
    make_another(stream);
  }
  if (counter_) {
    counter_->begin(stream);
  }
  cuda_check("cudaGraphLaunch", cudaGraphLaunch(to_launch(stream), stream));
}

void RuntimeGraph::write_dot(const std::string& file) const {
  const DeviceGuard guard(options_.device);
  cuda::write_dot(laid_.graph.get(), file);
}

void RuntimeGraph::replace(NodeId node, const CapturedWork& work) {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  nodes_.replace(node, work);
}

void RuntimeGraph::replace_by_copy(NodeId node, const DeviceCopy& copy) {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  nodes_.replace_by_copy(node, copy);
}

EditCost RuntimeGraph::update(const DeviceWork& launched) {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  RetiredGraph& old = retired_.add(launched);
  EditCost cost = EditCost::NodeUpdate;
  if (update_nodes()) {
    ++updates_.nodes;
  } else {
    cost = update_all(old);
  }
  nodes_.take_over(old);
  if (measured_) {
    measured_->retire(old);
  }
  return cost;
}

/// False when the nodes differ in more than their parameters, or CUDA refuses those; or when the
/// GPU might be switching nodes of the same graph at that time.
bool RuntimeGraph::update_nodes() {
  if ((counter_ && !counter_->is_placed()) || has_switched_bodies() || !nodes_.pair_wanted()) {
    return false;
  }
  for (NodeId number = 0; number < nodes_.size(); ++number) {
    const std::optional<NodeCapture>& now = nodes_.at(number).replacement;
    if (now && !set_nodes(exec_.get(), laid_.layout.piece(number).all, now->graph.get())) {
      return false;
    }
  }
  return true;
}

/// CUDA pairs the nodes of two graphs by the order in which they were made, so that is the same.
LaidGraph RuntimeGraph::assemble(const MeasuredGraph* measured) {
  LaidGraph graph = nodes_.begin_graph();
  try {
    std::optional<Stamps> stamps;
    if (measured != nullptr) {
      stamps.emplace(measured->stamps(nodes_.own_piece_options(), graph.graph.get()));
    }
    for (NodeId number = 0; number < nodes_.size(); ++number) {
      nodes_.lay(number, graph, stamps ? &*stamps : nullptr);
    }
    graph.layout.close();
    if (counter_ && (counter_->is_placed() || measured == nullptr)) {
      counter_->place(nodes_, graph);
    }
  } catch (...) {
    nodes_.destroy(graph.graph);
    throw;
  }
  return graph;
}

/// By an update of the whole graph, or another instantiation; `old` gets what that replaces.
EditCost RuntimeGraph::update_all(RetiredGraph& old) {
  if (has_switched_bodies()) {
    switched_.note_change();
  }
  auto switched = try_switched();
  LaidGraph graph = switched ? std::move(switched->first) : assemble();
  const bool is_updated = is_alike(graph.layout) && update_whole(exec_.get(), graph.graph.get());
  if (is_updated) {
    ++updates_.graphs;
    old.graphs.push_back(std::move(graph.graph));
  } else {
    GraphExecHandle made = switched ? std::move(switched->second) : instantiate(graph);
    ++updates_.instantiations;
    old.execs.push_back(std::exchange(exec_, std::move(made)));
    old.graphs.push_back(std::exchange(laid_, std::move(graph)).graph);
    nodes_.note_instantiated();
    if (counter_) {
      counter_->note_placed();
    }
  }
  nodes_.disable(exec_.get(), laid_.layout);
  wants_another_ = false;
  return is_updated ? EditCost::GraphUpdate : EditCost::Instantiation;
}

/// Can the launched graph take over the parameters of one that is laid out like this? Kernels know
/// the conditional nodes of their own graph. With the same size a piece still has the same place
/// among the nodes that are launched, to be switched off. Memory nodes have other addresses in each
/// graph.
bool RuntimeGraph::is_alike(const GraphLayout& layout) const {
  if (nodes_.has_branches() || nodes_.has_memory_nodes() || (counter_ && !counter_->is_placed())) {
    return false;
  }
  for (NodeId number = 0; number < nodes_.size(); ++number) {
    if (laid_.layout.piece(number).nodes != layout.piece(number).nodes) {
      return false;
    }
  }
  return true;
}

void RuntimeGraph::enable(NodeId node, bool on) {
  const DeviceGuard guard(options_.device);
  GraphNode& changed = nodes_.at(node);
  if (!changed.node.body.is_iteration()) {
    throw Error(ErrorCode::NotSupported,
                "CUDA cannot switch off what stands in a branch body; let the number that "
                "decides be another one");
  }
  if (changed.enabled == on) {
    return;
  }
  const std::vector<cudaGraphNode_t>& nodes = laid_.layout.piece(node).all;
  if (has_switched_bodies()) {
    require_can_enable(nodes);
    wants_another_ = true;
  } else {
    enable_nodes(exec_.get(), nodes, on);
    if (measured_) {
      measured_->enable(node, on);
    }
  }
  changed.enabled = on;
}

/// The GPU might be switching nodes of the graph that is there.
void RuntimeGraph::make_another(cudaStream_t stream) {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  DeviceStream* const launched_on = runtime().find_stream(stream);
  if (launched_on == nullptr) {
    throw Error(ErrorCode::InvalidArgument, "the graph is launched on a stream that is not gxr's");
  }
  RetiredGraph& old = retired_.add(launched_on->mark());
  launched_on->record();
  static_cast<void>(update_all(old));
  if (measured_) {
    measured_->retire(old);
  }
}

}  // namespace gxr::cuda

#include "graph.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <tuple>
#include <utility>

#include "cuda_call.hpp"
#include "device_guard.hpp"
#include "graph_changes.hpp"
#include "graph_dot.hpp"
#include "graph_kernels.hpp"
#include "gxr/error.hpp"
#include "partition.hpp"
#include "runtime.hpp"
#include "user_objects.hpp"

namespace gxr::cuda {
namespace {

/// How often a graph with switched bodies is made again when it is changed. Then it decides
/// by conditional nodes, and other nodes take new parameters in place: while loops run, the
/// graphs that are replaced cannot be destroyed.
constexpr std::size_t kMostRemakes = 8;

}  // namespace

RuntimeGraph::RuntimeGraph(const DeviceGraphOptions& options)
    : options_(options), programmatic_edges_(has_programmatic_edges(options.device)) {
  const DeviceGuard guard(options_.device);
  stream_ = make_capture_stream(options_.device, options_.priority, options_.partition);
  whole_ = begin_whole();
}

RuntimeGraph::~RuntimeGraph() {
  for (Retired& old : retired_) {
    destroy_all(old);
  }
  if (measured_) {
    destroy(std::move(measured_->exec));
    if (measured_->whole) {
      destroy(std::move(measured_->whole->graph));
    }
  }
  destroy(std::move(exec_));
  destroy(std::move(whole_.graph));
}

void RuntimeGraph::destroy_all(Retired& old) const {
  for (GraphExecHandle& exec : old.execs) {
    destroy(std::move(exec));
  }
  for (GraphHandle& graph : old.wholes) {
    destroy(std::move(graph));
  }
}

/// CUDA waits for the end of all loops when it destroys a graph with conditional nodes, and might
/// when one has kernels that are switched.
void RuntimeGraph::destroy(GraphExecHandle exec) const {
  if (has_branches() && exec.get() != nullptr) {
    runtime().when_may_wait([late = exec.get()] { static_cast<void>(cudaGraphExecDestroy(late)); });
    exec.release();
  }
}

void RuntimeGraph::destroy(GraphHandle graph) const {
  if (has_branches()) {
    destroy_when_may_wait(graph);
  }
}

bool RuntimeGraph::has_branches() const noexcept {
  return std::ranges::any_of(nodes_, &GraphNode::is_branch);
}

/// Of kernels that are none of the operators'.
PieceAttributes RuntimeGraph::own_attributes() const {
  GraphTraits own;
  own.priority = options_.priority;
  return attributes_of(own, {});
}

RuntimeGraph::Whole RuntimeGraph::begin_whole() const {
  Whole whole{make_graph(), {}};
  whole.layout = GraphLayout(whole.graph.get(), whole.graph.get(), own_attributes());
  return whole;
}

PieceAttributes RuntimeGraph::attributes_of(const GraphTraits& traits,
                                            const DeviceRange& kept_in_l2) const {
  return {traits, kept_in_l2, options_.device, programmatic_edges_, options_.memory_sync_domain};
}

void RuntimeGraph::tie_kept(cudaGraph_t graph) {
  for (std::shared_ptr<const void>& object : std::exchange(kept_, {})) {
    tie(graph, std::move(object));
  }
}

/// Shows whether the work can be a part of a graph, and how.
RuntimeGraph::Source RuntimeGraph::capture_alone(const Work& work, const DeviceBody& body) {
  kept_.clear();
  GraphHandle graph = capture_piece(stream_.get(), work,
                                    body.is_iteration() ? PiecePlace::Graph : PiecePlace::Branch);
  tie_kept(graph.get());
  if (!has_memory_nodes(graph.get())) {
    return {std::move(graph), nullptr};
  }
  return {{}, work};
}

/// Puts what is wanted of a node into a graph, behind those of lower numbers.
void RuntimeGraph::place(NodeId number, Whole& whole, Stamps* stamps) {
  const GraphNode& node = nodes_[number];
  const GraphPiece* const begin = stamps == nullptr ? nullptr : &stamps->begin(node.node.body);
  if (node.is_branch()) {
    whole.layout.add_branch(node.branch(), node.node.after, node.node.body, begin,
                            stamps == nullptr ? node.choosing : Choosing::Conditional);
  } else if (!node.has_memory_nodes()) {
    whole.layout.add(copy_piece(node.wanted().graph.get(), whole.layout.graph_of(node.node.body),
                                node.attributes),
                     node.node.after, node.node.body, begin);
  } else {
    place_captured(node, whole, begin);
  }
  if (stamps != nullptr) {
    stamps->add_behind(whole.layout, number);
  }
}

/// Of a node whose CUDA nodes cannot be copied.
void RuntimeGraph::place_captured(const GraphNode& node, Whole& whole, const GraphPiece* begin) {
  std::vector<const GraphPiece*> before;
  for (const NodeId each : node.node.after) {
    before.push_back(&whole.layout.piece(each));
  }
  if (before.empty() && begin != nullptr) {
    before.push_back(begin);
  }
  cudaGraph_t const graph = whole.layout.graph_of(node.node.body);
  kept_.clear();
  GraphPiece piece =
      capture_into(graph, stream_.get(), node.wanted().work, before, node.attributes);
  tie_kept(graph);
  whole.layout.note(std::move(piece), node.node.after, node.node.body);
}

NodeId RuntimeGraph::add(const std::function<void(CUstream_st*)>& work, const DeviceNode& node,
                         const DeviceRange& kept_in_l2) {
  const DeviceGuard guard(options_.device);
  in_l2_.emplace_back(options_.device, kept_in_l2.bytes);
  const PartitionGuard partition(options_.partition);
  GraphNode& added = nodes_.emplace_back();
  added.node = node;
  added.attributes = attributes_of(node.traits, kept_in_l2);
  added.source = capture_alone(work, node.body);
  place(nodes_.size() - 1, whole_);
  return nodes_.size() - 1;
}

void RuntimeGraph::prepare(const std::function<void(CUstream_st*)>& work) {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  run_now(stream_.get(), work);
}

NodeId RuntimeGraph::add_copy(const DeviceCopy& copy, const DeviceNode& node) {
  return add(copy_work(copy), node);
}

NodeId RuntimeGraph::add_branch(const BranchMemory& memory, const DeviceNode& node) {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  GraphNode& added = nodes_.emplace_back();
  added.node = node;
  added.memory = memory;
  place(nodes_.size() - 1, whole_);
  return nodes_.size() - 1;
}

std::size_t RuntimeGraph::nodes() const noexcept {
  std::size_t sum = 0;
  for (std::size_t number = 0; number < nodes_.size(); ++number) {
    sum += whole_.layout.piece(number).nodes;
  }
  return sum;
}

void RuntimeGraph::count_launches(std::uint64_t* counter, std::uint64_t next) {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  counter_.emplace();
  counter_->where = counter;
  counter_->next = next;
  counter_->captured = capture_piece(
      stream_.get(), [counter](CUstream_st* stream) { launch_count(counter, stream); },
      PiecePlace::Graph);
  if (exec_.get() == nullptr) {
    place_counter(whole_);
    counter_->is_placed = true;
  }
}

/// In front of the nodes that wait for no other.
void RuntimeGraph::place_counter(const Whole& whole) const {
  GraphTraits traits;
  traits.dependent_launch = true;  // nothing is in front of it
  const GraphPiece counter =
      copy_piece(counter_->captured.get(), whole.graph.get(), attributes_of(traits, {}));
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (nodes_[i].node.after.empty() && nodes_[i].node.body.is_iteration()) {
      join_pieces(whole.graph.get(), counter, whole.layout.piece(i));
    }
  }
}

void RuntimeGraph::instantiate() {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  whole_.layout.close();
  if (auto switched = try_switched()) {
    destroy_when_may_wait(whole_.graph);
    std::tie(whole_, exec_) = std::move(*switched);
  } else {
    exec_ = cuda::instantiate(whole_.graph.get(), stream_.get());
  }
  if (options_.instrument_every > 0) {
    begin_measuring();
  }
}

/// May the bodies of a branch be switched? It is not known what memory nodes do in such a graph.
bool RuntimeGraph::can_switch(std::size_t number) const {
  const GraphNode& branch = nodes_[number];
  if (!branch.is_branch() || branch.node.branch.kind == BranchKind::While ||
      !branch.node.body.is_iteration() ||
      std::ranges::any_of(nodes_, &GraphNode::has_memory_nodes)) {
    return false;
  }
  std::vector<BodyPiece> pieces;
  for (const GraphNode& node : nodes_) {
    if (node.node.body.branch == number) {
      pieces.push_back({node.node.body.number, node.wanted().graph.get(), node.attributes});
    }
  }
  return cuda::can_switch(branch.node.branch.bodies, pieces);
}

/// The graph with the bodies switched that may be; nothing when there are none, or CUDA refuses it.
std::optional<std::pair<RuntimeGraph::Whole, GraphExecHandle>> RuntimeGraph::try_switched() {
  bool any = false;
  for (std::size_t number = 0; number < nodes_.size(); ++number) {
    const bool switches = remakes_ < kMostRemakes && can_switch(number);
    nodes_[number].choosing = switches ? Choosing::Switched : Choosing::Conditional;
    any = any || switches;
  }
  if (!any) {
    return std::nullopt;
  }
  Whole whole;
  try {
    whole = assemble();
    add_switched(whole);
    GraphExecHandle exec = instantiate(whole);
    return std::pair(std::move(whole), std::move(exec));
  } catch (const Error&) {
    static_cast<void>(cudaGetLastError());
    destroy(std::move(whole.graph));
    remakes_ = kMostRemakes;  // it would be refused again
    for (GraphNode& node : nodes_) {
      node.choosing = Choosing::Conditional;
    }
    return std::nullopt;
  }
}

/// When that fails, the graph is given up.
GraphExecHandle RuntimeGraph::instantiate(Whole& whole) const {
  try {
    return cuda::instantiate(whole.graph.get(), stream_.get());
  } catch (...) {
    destroy(std::move(whole.graph));
    throw;
  }
}

void RuntimeGraph::add_switched(const Whole& whole) {
  if (switch_failure_.get() == nullptr) {
    switch_failure_ =
        RuntimeMemory(2 * sizeof(std::uint64_t), MemoryStorageType::Host, options_.device);
  }
  BodySwitch failed;
  failed.error = reinterpret_cast<std::uint64_t*>(switch_failure_.get());
  failed.limit = failed.error + 1;
  switched_.emplace_back(options_.device, whole.layout.switched(), failed, stream_.get());
}

void RuntimeGraph::check() const {
  if (switch_failure_.get() != nullptr) {
    auto* const error = reinterpret_cast<std::uint64_t*>(switch_failure_.get());
    cuda_check("cudaGraphKernelNodeSetEnabled",
               static_cast<cudaError_t>(std::atomic_ref(*error).load(std::memory_order_relaxed)));
  }
}

void RuntimeGraph::begin_measuring() {
  std::vector<MeasuredRecords::Node> measured_nodes;
  for (const GraphNode& node : nodes_) {
    measured_nodes.push_back({node.node.after, node.node.body,
                              node.is_branch() ? node.node.branch.bodies : std::uint32_t{0}});
  }
  measured_.emplace(Measured{
      MeasuredRecords(options_.device, options_.instrument_every, std::move(measured_nodes)),
      RuntimeMemory(sizeof(std::uint64_t), MemoryStorageType::Device, options_.device),
      0,
      std::nullopt,
      {}});
  measured_->records.begin(stream_.get());
}

void RuntimeGraph::make_measured() {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  Whole whole = assemble(&*measured_);
  GraphExecHandle made = instantiate(whole);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].enabled) {
      enable_nodes(made.get(), whole.layout.piece(i).all, false);
    }
  }
  measured_->exec = std::move(made);
  measured_->whole = std::move(whole);
}

/// The graph of the next iteration.
cudaGraphExec_t RuntimeGraph::to_launch(cudaStream_t stream) {
  if (!measured_) {
    return exec_.get();
  }
  const std::uint64_t number = measured_->launches++;
  if (number % options_.instrument_every != 0) {
    return exec_.get();
  }
  if (!measured_->whole) {
    make_measured();
  }
  // So few bytes are read before the call returns.
  cuda_check("cudaMemcpyAsync", cudaMemcpyAsync(measured_->number.get(), &number, sizeof number,
                                                cudaMemcpyHostToDevice, stream));
  return measured_->exec.get();
}

std::vector<MeasuredIteration> RuntimeGraph::measured_until_now() const {
  return measured_ ? measured_->records.read() : std::vector<MeasuredIteration>{};
}

std::vector<MeasuredIteration> RuntimeGraph::measured() {
  if (measured_ && !runtime().is_given_up(options_.device)) {
    try {
      const DeviceGuard guard(options_.device);
      measured_->records.end(stream_.get());
    } catch (const Error&) {
      // The device has failed; its clock was compared at the begin.
    }
  }
  return measured_until_now();
}

void RuntimeGraph::retire_measured(Retired& old) {
  if (measured_ && measured_->whole) {
    old.execs.push_back(std::exchange(measured_->exec, {}));
    old.wholes.push_back(std::move(measured_->whole->graph));
    measured_->whole.reset();
  }
}

void RuntimeGraph::launch(CUstream_st* stream) {
  if (exec_.get() == nullptr) {
    throw Error(ErrorCode::InvalidState, "a CUDA graph was launched before its instantiate()");
  }
  if (!retired_.empty()) {
    destroy_retired();
  }
  check();
  if (wants_another_) {
    make_another(stream);
  }
  if (counter_ && counter_->is_placed && !counter_->is_set) {
    const std::uint64_t before = counter_->next - 1;
    // So few bytes are read before the call returns.
    cuda_check("cudaMemcpyAsync", cudaMemcpyAsync(counter_->where, &before, sizeof before,
                                                  cudaMemcpyHostToDevice, stream));
    counter_->is_set = true;
  }
  cuda_check("cudaGraphLaunch", cudaGraphLaunch(to_launch(stream), stream));
}

void RuntimeGraph::write_dot(const std::string& file) const {
  const DeviceGuard guard(options_.device);
  cuda::write_dot(whole_.graph.get(), file);
}

void RuntimeGraph::replace(NodeId node, const std::function<void(CUstream_st*)>& work) {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  GraphNode& replaced = nodes_.at(node);
  replaced.replacement = capture_alone(work, replaced.node.body);
}

void RuntimeGraph::replace_by_copy(NodeId node, const DeviceCopy& copy) {
  if (copy.bytes > 0) {
    replace(node, copy_work(copy));
  } else {
    const DeviceGuard guard(options_.device);
    nodes_.at(node).replacement = Source{make_empty_piece(), nullptr};
  }
  nodes_.at(node).replacement->stands_in = true;
}

EditCost RuntimeGraph::update(const DeviceWork& launched) {
  const DeviceGuard guard(options_.device);
  const PartitionGuard partition(options_.partition);
  Retired& old = retired_.emplace_back(Retired{launched, {}, {}, {}});
  EditCost cost = EditCost::NodeUpdate;
  if (update_nodes()) {
    ++updates_.nodes;
  } else {
    cost = update_all(old);
  }
  for (GraphNode& node : nodes_) {
    if (node.replacement) {
      take_over(node, old);
    }
  }
  retire_measured(old);
  return cost;
}

/// The capture of a node is kept while something stands in for it, and given up otherwise.
void RuntimeGraph::take_over(GraphNode& node, Retired& old) {
  Source before = std::exchange(node.source, std::move(*node.replacement));
  node.replacement.reset();
  if (node.source.stands_in && !before.stands_in) {
    node.set_aside = std::move(before.graph);
    return;
  }
  old.captured.push_back(std::move(before.graph));
  if (!node.source.stands_in) {
    old.captured.push_back(std::move(node.set_aside));
  }
}

/// False when the nodes differ in more than their parameters, or CUDA refuses those; or when the
/// GPU might be switching nodes of the same graph at that time.
bool RuntimeGraph::update_nodes() {
  if ((counter_ && !counter_->is_placed) || has_switched_bodies()) {
    return false;
  }
  bool paired = true;
  for (GraphNode& node : nodes_) {
    if (node.replacement) {
      node.paired = node.paired && node.node.body.is_iteration() &&
                    node.source.graph.get() != nullptr &&
                    node.replacement->graph.get() != nullptr &&
                    have_same_nodes(node.source.graph.get(), node.replacement->graph.get());
      paired = paired && node.paired;
    }
  }
  for (std::size_t i = 0; paired && i < nodes_.size(); ++i) {
    const std::optional<Source>& now = nodes_[i].replacement;
    paired = !now || set_nodes(exec_.get(), whole_.layout.piece(i).all, now->graph.get());
  }
  return paired;
}

/// CUDA pairs the nodes of two graphs by the order in which they were made, so that is the same.
RuntimeGraph::Whole RuntimeGraph::assemble(Measured* measured) {
  Whole whole = begin_whole();
  std::optional<Stamps> stamps;
  if (measured != nullptr) {
    stamps.emplace(measured->records,
                   reinterpret_cast<const std::uint64_t*>(measured->number.get()), own_attributes(),
                   whole.graph.get());
  }
  try {
    for (std::size_t number = 0; number < nodes_.size(); ++number) {
      place(number, whole, stamps ? &*stamps : nullptr);
    }
    whole.layout.close();
    if (counter_ && (counter_->is_placed || measured == nullptr)) {
      place_counter(whole);
    }
  } catch (...) {
    destroy(std::move(whole.graph));
    throw;
  }
  return whole;
}

/// By an update of the whole graph, or another instantiation; `old` gets what that replaces.
EditCost RuntimeGraph::update_all(Retired& old) {
  remakes_ += has_switched_bodies() ? 1 : 0;
  auto switched = try_switched();
  Whole whole = switched ? std::move(switched->first) : assemble();
  // Kernels know the conditional nodes of their own graph.
  bool alike = !has_branches() && (!counter_ || counter_->is_placed);
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    // With the same size a piece still has the same place among the nodes that are launched, to be
    // switched off. Memory nodes have other addresses in each graph, which the launched one cannot
    // take over.
    alike = alike && whole_.layout.piece(i).nodes == whole.layout.piece(i).nodes &&
            !nodes_[i].has_memory_nodes();
  }
  const bool is_updated = alike && update_whole(exec_.get(), whole.graph.get());
  if (is_updated) {
    ++updates_.graphs;
    old.wholes.push_back(std::move(whole.graph));
  } else {
    GraphExecHandle made = switched ? std::move(switched->second) : instantiate(whole);
    ++updates_.instantiations;
    old.execs.push_back(std::exchange(exec_, std::move(made)));
    old.wholes.push_back(std::exchange(whole_, std::move(whole)).graph);
    for (GraphNode& node : nodes_) {
      node.paired = true;
    }
    if (counter_) {
      counter_->is_placed = true;
    }
  }
  for (std::size_t i = 0; i < nodes_.size(); ++i) {
    if (!nodes_[i].enabled) {
      enable_nodes(exec_.get(), whole_.layout.piece(i).all, false);
    }
  }
  wants_another_ = false;
  return is_updated ? EditCost::GraphUpdate : EditCost::Instantiation;
}

/// Objects that no launched iteration uses any more. The first that some still use ends the search,
/// since iterations end in the order of their launches.
void RuntimeGraph::destroy_retired() {
  const auto is_done = [](const DeviceWork& work) { return work.stream->is_done(work.number); };
  while (!retired_.empty() && is_done(retired_.front().needed_by)) {
    destroy_all(retired_.front());
    retired_.pop_front();
  }
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
  const std::vector<cudaGraphNode_t>& nodes = whole_.layout.piece(node).all;
  if (has_switched_bodies()) {
    require_can_enable(nodes);
    wants_another_ = true;
  } else {
    enable_nodes(exec_.get(), nodes, on);
    if (measured_ && measured_->whole) {
      enable_nodes(measured_->exec.get(), measured_->whole->layout.piece(node).all, on);
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
  Retired& old = retired_.emplace_back(Retired{launched_on->mark(), {}, {}, {}});
  launched_on->record();
  static_cast<void>(update_all(old));
  retire_measured(old);
}

bool RuntimeGraph::has_switched_bodies() const noexcept {
  return !whole_.layout.switched().empty();
}

}  // namespace gxr::cuda

#include "executors/cuda_graph/graph_runner.hpp"

#include <algorithm>
#include <chrono>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "executors/term_checks.hpp"
#include "executors/urgent_term.hpp"
#include "gxr/error.hpp"
#include "plan/staging.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {

/// Has the codelet tick, and fail, when the graph hangs, which no message may ever tell.
class GraphRunner::HangTerm final : public UrgentTerm {
 public:
  explicit HangTerm(GraphRunner& runner) : runner_(runner) {}
  [[nodiscard]] bool is_urgent() override { return runner_.has_hung(); }
  Condition check(std::int64_t /*now*/) override { return {ConditionType::Ready, 0}; }
  void events(TermEvents& events) override { events.notification(); }

 private:
  GraphRunner& runner_;
};

GraphRunner::GraphRunner(const Plan& plan, const Region& region, Instance& instance,
                         Context& context, Poller& poller)
    : RegionRunner(plan, region, instance, context), poller_(poller) {}

GraphRunner::~GraphRunner() { GraphRunner::drop_graph(); }

TermQuestion GraphRunner::asked_by(SchedulingTerm& term) const {
  using Can = Capability::Kind;
  const GraphComponent& component = plan().graph->components[term.component_id()];
  const TermQuestion question = question_of(term, instance());
  const bool waits = component.capability(Can::WaitsForMessages) != nullptr ||
                     component.capability(Can::WaitsForRoom) != nullptr;
  if (waits && question.receiver == nullptr && question.transmitter == nullptr) {
    throw Error(ErrorCode::InvalidState, "'" + term.full_name() + "' of type '" + term.type() +
                                             "' declares that it waits for messages or room, but "
                                             "its question() names no queue");
  }
  return question;
}

LiveEntity GraphRunner::merge(const std::vector<LiveEntity>& entities) {
  LiveEntity merged = RegionRunner::merge(entities);
  std::vector<const Receiver*> awaited;
  const auto faces_outside = [&](SchedulingTerm& term) {
    const TermQuestion question = asked_by(term);
    if (question.receiver != nullptr) {
      awaited.push_back(question.receiver);
      return std::ranges::find(merged.receivers, question.receiver) != merged.receivers.end();
    }
    return question.transmitter == nullptr  // a count; the plan lets no others in
           || std::ranges::find(merged.transmitters, question.transmitter) !=
                  merged.transmitters.end();
  };
  for (const LiveEntity& entity : entities) {
    std::ranges::copy_if(entity.terms, std::back_inserter(merged.terms),
                         [&](SchedulingTerm* term) { return faces_outside(*term); });
  }
  for (const Receiver* receiver : merged.receivers) {
    if (std::ranges::find(awaited, receiver) == awaited.end()) {
      throw Error(ErrorCode::InvalidState,
                  "region '" + region_name() + "': no scheduling term waits for '" +
                      receiver->full_name() + "', through which messages come into it");
    }
  }
  if (options().watchdog.count() > 0) {
    hang_term_ = std::make_unique<HangTerm>(*this);
    attach_to_entity(*hang_term_);
    merged.terms.push_back(hang_term_.get());
  }
  return merged;
}

void GraphRunner::initialize() {
  RegionRunner::initialize();
  StreamOptions wanted;
  wanted.device = options().device;
  wanted.priority = options().priority;
  wanted.partition = partition();
  EngineAccess::initialize(streams_, *this, wanted, ports().receivers(), ports().transmitters());
}

void GraphRunner::make_graph() {
  iteration_ = static_cast<std::uint64_t*>(buffers().memory().take(sizeof(std::uint64_t)));
  make_staging();
  graph_ =
      DeviceEngine::get().make_graph({options().device, options().priority, partition(),
                                      options().memory_sync_domain, options().instrument_every});
  in_flight_.fill({});
  counts_ = false;
  counted_ = false;
  add_nodes(*graph_);
  count_launches();
  graph_->instantiate();
  if (!dot_file().empty()) {
    graph_->write_dot(dot_file());
  }
}

void GraphRunner::open_graph() {
  buffers().clear_old(program().running());
  watch_launches();
}

void GraphRunner::watch_launches() {
  if (options().watchdog.count() > 0) {
    watch_.emplace(poller_, *this, options().watchdog,
                   LaunchWatch::Actions{[this] { note_hang(); },
                                        [this](const DeviceWork& work) {
                                          DeviceEngine::get().give_up(
                                              {.device = work.stream->device(), .work = work},
                                              hang_);
                                        }});
  }
}

void GraphRunner::make_staging() {
  for (const GraphInput& input : graph().inputs) {
    std::optional<InputStaging>& staging = staging_.emplace_back();
    const std::uint64_t bytes = staging_buffer_bytes(graph(), input);
    if (bytes == 0) {
      continue;
    }
    std::vector<void*> places;
    while (places.size() < options().slots) {
      places.push_back(buffers().memory().take(bytes));
    }
    staging.emplace(places, [](void* to, const void* from, std::size_t size, DeviceStream& stream) {
      DeviceRuntime::get().copy(to, from, size, stream);
    });
    if (!copies_) {
      copies_.emplace(StreamOptions{.device = options().device});
    }
  }
}

/// When an operator reads the number, and nobody writes it yet.
void GraphRunner::count_launches() {
  if (counts_ && !counted_) {
    graph_->count_launches(iteration_, launched_);
    counted_ = true;
  }
}

void GraphRunner::drop_graph() noexcept {
  watch_.reset();
  // Nobody has waited when finish() failed, or the run was given up. What throws here is a device
  // that has failed, on which nothing runs any more, or a stream whose partition is gone with it.
  for (const auto& wait : {&GraphRunner::wait_for_launched, &GraphRunner::wait_for_copies}) {
    try {
      (this->*wait)();
    } catch (const std::exception&) {
      continue;
    }
  }
  graph_.reset();
  staging_.clear();
  copies_.reset();
  iteration_ = nullptr;
  launched_ = 0;
  launched_before_ = 0;
  updated_before_ = {};
  measured_before_.clear();
  streams_.release();
}

const std::uint64_t* GraphRunner::iteration_of(NodeId /*node*/) {
  counts_ = true;
  return iteration_;
}

void GraphRunner::publish_result(const Output& output, const Origin* origin) {
  const std::size_t bytes = graph().tensors[output.tensor].spec->bytes();
  for (Transmitter* transmitter : output.transmitters) {
    void* const memory = buffers().memory().allocate(bytes, MemoryStorageType::Device);
    Message message =
        ports().new_result(output, buffers().memory(), memory, MemoryStorageType::Device, origin,
                           static_cast<std::uint64_t>(execution_count() - 1));
    streams_.copy(memory, buffers().tensor(output.tensor).pointer(), bytes);
    RegionPorts::publish(*transmitter, std::move(message), origin);
  }
}

/// CUDA switches nodes off that are in no branch. What passes its input on needs others.
bool GraphRunner::switches_nodes(NodeId node) const {
  const DeviceNode& at = program().running().nodes[node];
  return at.body.is_iteration() && !at.traits.pass_through;
}

/// Puts what a program has changed into the graph, which is built. What was launched keeps what it
/// has.
void GraphRunner::apply_edits() {
  const std::string edits = edits_text();
  EditCost cost = EditCost::Nothing;
  if (program().must_rebuild()) {
    change_shapes();
    cost = EditCost::Instantiation;
  }
  cost = std::max(cost, change_nodes());
  tell_edits(edits, to_text(cost));
  program().applied();
}

/// What was launched needs the memory and the graph of before.
void GraphRunner::change_shapes() {
  const cuda::Stream stream = used_;
  wait_for_launched();
  wait_for_copies();
  used_ = stream;
  graph_->check();
  watch_.reset();
  measured_before_ = with_earlier(graph_->measured());
  launched_before_ = launched_;
  const DeviceGraphUpdates updates = graph_->updates();
  updated_before_.nodes += updates.nodes;
  updated_before_.graphs += updates.graphs;
  updated_before_.instantiations += updates.instantiations + 1;
  // What it keeps may be needed to capture again.
  const std::unique_ptr<DeviceGraph> before = std::move(graph_);
  staging_.clear();
  rebuild();
  watch_launches();
}

/// By what the cost is of all that needs no other memory.
EditCost GraphRunner::change_nodes() {
  using Edit = ProgramEdit::Kind;
  EditCost cost = EditCost::Nothing;
  if (program().has_new_parameters()) {
    buffers().write_parameters(program().wanted(), *current_device_stream());
    ++parameter_sets_;
    cost = EditCost::Parameters;
  }
  cost = std::max(cost, replace_nodes());
  for (const ProgramEdit& edit : program().edits()) {
    if ((edit.kind == Edit::On || edit.kind == Edit::Off) && switches_nodes(edit.node)) {
      const bool on = edit.kind == Edit::On;
      guarded(operators().site(program().step_of(edit.node), on ? "enable" : "disable"),
              [&] { graph_->enable(edit.node, on); });
      cost = std::max(cost, EditCost::NodeUpdate);
    }
  }
  return cost;
}

/// Behind those of earlier graphs, of which only some thousand are kept.
std::vector<MeasuredIteration> GraphRunner::with_earlier(
    std::vector<MeasuredIteration> measured) const {
  constexpr std::size_t kMostEarlier = 4096;
  std::vector<MeasuredIteration> all = measured_before_;
  for (MeasuredIteration& each : measured) {
    each.number += launched_before_;
    all.push_back(std::move(each));
  }
  if (all.size() > kMostEarlier) {
    all.erase(all.begin(), all.end() - static_cast<std::ptrdiff_t>(kMostEarlier));
  }
  return all;
}

/// Operators that were changed are captured anew, each alone.
EditCost GraphRunner::replace_nodes() {
  const auto nodes =
      program().nodes_to_replace([this](NodeId node) { return switches_nodes(node); });
  for (const NodeId node : nodes) {
    replace(node, switches_nodes(node) || program().wanted().nodes[node].enabled, *graph_);
  }
  if (nodes.empty()) {
    return EditCost::Nothing;
  }
  count_launches();
  return graph_->update(streams_.event(streams_.stream()));
}

void GraphRunner::copy_inputs(std::vector<Message>& messages) {
  for (std::size_t i = 0; i < inputs().size(); ++i) {
    const Input& input = inputs()[i];
    const Tensor& from = tensor_of(i);
    Tensor& to = buffers().tensor(input.tensor);
    if (staging_[i] && from.storage_type() != MemoryStorageType::Device) {
      staging_[i]->pass(messages[i], from, to.pointer(), copies_->get(), *current_device_stream());
    } else {
      streams_.accept(*input.receivers.front(), messages[i]);
      streams_.copy(to.pointer(), from.pointer(), from.size());
    }
  }
}

/// The operator that the graph was in when the device failed; empty: not known, or it has not
/// failed, but refused a call.
std::string GraphRunner::place_of_failure() {
  try {
    wait_for_launched();  // all of which ends, unless the device has failed or was given up
  } catch (const Error&) {
    if (!DeviceEngine::get().is_given_up(options().device)) {
      used_ = nullptr;  // nothing runs any more
    }
  }
  const std::string place = last_entered();
  return place.empty() ? place : "; region '" + region_name() + "' was " + place;
}

/// Where the last measured iteration is, if it has not ended.
std::string GraphRunner::last_entered() {
  std::vector<MeasuredIteration> measured = graph_ == nullptr
                                                ? std::vector<MeasuredIteration>{}
                                                : with_earlier(graph_->measured_until_now());
  if (measured.empty()) {
    return {};
  }
  const std::uint64_t last = measured.back().number;
  const std::string entered = measured_operators(std::move(measured)).entered(last);
  return entered.empty() ? std::string()
                         : "in iteration " + std::to_string(last + 1) + ", in operator " + entered;
}

/// On the poller's thread.
void GraphRunner::note_hang() {
  hang_ = hang_text();
  if (const std::string place = last_entered(); !place.empty()) {
    hang_ += "; " + place;
  }
}

bool GraphRunner::has_hung() const noexcept { return watch_ && watch_->has_tripped(); }

void GraphRunner::require_progress() {
  if (has_hung()) {
    told_of_hang_ = true;
    throw Error(ErrorCode::Device, hang_);
  }
}

/// Adds the place to errors of the device that `work` throws.
template <class Work>
void GraphRunner::with_place(const Work& work) {
  try {
    work();
  } catch (const Error& error) {
    if (error.code() != ErrorCode::Device || has_hung()) {
      throw;
    }
    throw Error(ErrorCode::Device, error.message() + place_of_failure());
  }
}

void GraphRunner::tick() {
  require_progress();
  with_place([this] { iterate(); });
}

void GraphRunner::iterate() {
  wait_for_room();
  // Goes after the tick: a tensor that was copied ahead waits for its copy, and not, as what goes
  // in a tick does, for all that the tick's stream was given.
  std::vector<Message> messages;
  const cuda::Streams::Tick tick(streams_);
  // Before the first message: iterations share memory, so all are on one stream, and none is taken
  // over.
  const cuda::Stream stream = streams_.stream();
  used_ = stream;
  messages = ports().receive([](Receiver& receiver) { return receiver.receive_unfinished(); });
  RegionProgram::News news;
  if (instance().changes().any()) [[unlikely]] {
    news = program().take();
  }
  if (!is_built()) {
    news.steps.clear();  // they are captured now
    build_for(messages);
  }
  if (!find_tensors(messages)) [[unlikely]] {
    want_shapes_of(messages, news);
    apply_edits();
    require_tensors(messages);
  } else if (!news.steps.empty() || !news.switched.empty()) [[unlikely]] {
    program().want(news);
    apply_edits();
  }
  copy_inputs(messages);
  graph_->launch(stream);
  note_launch(streams_.event(stream));
  const Origin origin =
      messages.empty() ? Origin{} : RegionPorts::origin_of(messages[graph().timestamp_from]);
  for (const Output& output : outputs()) {
    publish_result(output, messages.empty() ? nullptr : &origin);
  }
  streams_.check();
}

/// With an event for each launch it is seen whether they come to their ends one after the other.
void GraphRunner::note_launch(const DeviceWork& work) {
  in_flight_[launched_ % in_flight_.size()] = work;
  ++launched_;
  if (watch_) {
    watch_->launched(work);
  }
}

/// CUDA's queue is longer, and who waits for room in that waits for a graph that hangs, too.
void GraphRunner::wait_for_room() {
  const DeviceWork& oldest = in_flight_[launched_ % in_flight_.size()];
  if (!oldest) {
    return;
  }
  // The others keep the GPU busy meanwhile.
  constexpr std::chrono::microseconds kPause{20};
  constexpr int kMostPauses = 1000;
  for (int i = 0; i < kMostPauses && !oldest.stream->is_done(oldest.number); ++i) {
    std::this_thread::sleep_for(kPause);
  }
  oldest.stream->wait_on_host(oldest.number);
}

/// Ports are not touched: they may be gone.
void GraphRunner::wait_for_launched() {
  if (used_ != nullptr) {
    const DeviceWork all = streams_.event(used_);
    all.stream->wait_on_host(all.number);
    used_ = nullptr;
  }
}

/// After an error in a tick no iteration has waited for the last.
void GraphRunner::wait_for_copies() {
  if (copies_) {
    copies_->finish();
  }
}

void GraphRunner::finish() {
  DeviceRuntime::get().use_device(options().device);
  try {
    with_place([this] {
      wait_for_launched();
      wait_for_copies();
      if (graph_ != nullptr) {
        graph_->check();
      }
    });
  } catch (const Error&) {
    if (watch_) {
      watch_->stop_looking();
    }
    // Behind another graph that hangs it does not end, either.
    hangs_ = has_hung() || DeviceEngine::get().is_given_up(options().device);
    if (has_hung() && !told_of_hang_) {
      throw Error(ErrorCode::Device, hang_);
    }
    if (hangs_) {
      throw Error(ErrorCode::Device, "region '" + region_name() + "' does not end");
    }
    throw;
  }
  watch_.reset();
  if (graph_ != nullptr) {
    GraphStatistics statistics{region_name(), launched_, 0, false};
    const DeviceGraphUpdates updates = graph_->updates();
    statistics.parameter_sets = parameter_sets_;
    statistics.node_updates = updated_before_.nodes + updates.nodes;
    statistics.graph_updates = updated_before_.graphs + updates.graphs;
    statistics.instantiations = updated_before_.instantiations + updates.instantiations;
    if (options().instrument_every > 0) {
      add_measures(with_earlier(graph_->measured()), statistics);
    }
    set_statistics(std::move(statistics));
  }
}

}  // namespace gxr

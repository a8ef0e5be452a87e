#include "executors/cuda_graph/graph_runner.hpp"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "executors/term_checks.hpp"
#include "executors/urgent_term.hpp"
#include "gxr/error.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

/// The question of a term. Throws Error(InvalidState) when it declares that it waits for messages
/// or room, and does not say for which.
TermQuestion asked_by(SchedulingTerm& term, const LiveRegion& region) {
  using Can = Capability::Kind;
  const GraphComponent& component = region.plan.graph->components[term.component_id()];
  const TermQuestion question = question_of(term, region.instance);
  const bool waits = component.capability(Can::WaitsForMessages) != nullptr ||
                     component.capability(Can::WaitsForRoom) != nullptr;
  if (waits && question.receiver == nullptr && question.transmitter == nullptr) {
    throw Error(ErrorCode::InvalidState, "'" + term.full_name() + "' of type '" + term.type() +
                                             "' declares that it waits for messages or room, but "
                                             "its question() names no queue");
  }
  return question;
}

}  // namespace

/// Has the codelet tick for what no message may ever tell: the graph hangs, or an operator is to be
/// exchanged.
class GraphRunner::UntoldTerm final : public UrgentTerm {
 public:
  explicit UntoldTerm(GraphRunner& runner) : runner_(runner) {}
  [[nodiscard]] bool is_urgent() override {
    return runner_.has_hung() || (runner_.is_built() && runner_.region().program.has_new_tasks());
  }
  void announce_urgent_tick() override { runner_.acts_ = true; }
  Condition check(std::int64_t /*now*/) override { return {ConditionType::Ready, 0}; }
  void events(TermEvents& events) override { events.notification(); }

 private:
  GraphRunner& runner_;
};

GraphRunner::GraphRunner(const Plan& plan, const Region& region, Instance& instance,
                         Context& context, Poller& poller)
    : RegionRunner(plan, region, instance, context), poller_(poller) {}

GraphRunner::~GraphRunner() { GraphRunner::drop_graph(); }

LiveEntity GraphRunner::merge(const std::vector<LiveEntity>& entities) {
  LiveEntity merged = RegionRunner::merge(entities);
  std::vector<const Receiver*> awaited;
  const auto faces_outside = [&](SchedulingTerm& term) {
    const TermQuestion question = asked_by(term, region());
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
                  "region '" + region().name() + "': no scheduling term waits for '" +
                      receiver->full_name() + "', through which messages come into it");
    }
  }
  untold_term_ = std::make_unique<UntoldTerm>(*this);
  attach_to_entity(*untold_term_);
  merged.terms.push_back(untold_term_.get());
  return merged;
}

void GraphRunner::initialize() {
  RegionRunner::initialize();
  StreamOptions wanted;
  wanted.device = region().options().device;
  wanted.priority = region().options().priority;
  wanted.partition = region().partition();
  const RegionPorts& ports = region().ports;
  EngineAccess::initialize(streams_, *this, wanted, ports.receivers(), ports.transmitters());
}

void GraphRunner::make_graph() {
  iteration_ = static_cast<std::uint64_t*>(region().buffers.memory().take(sizeof(std::uint64_t)));
  staged_.open(region());
  const GraphOptions& options = region().options();
  graph_ = DeviceEngine::get().make_graph({options.device, options.priority, region().partition(),
                                           options.memory_sync_domain, options.instrument_every});
  launches_.begin_graph();
  counts_ = false;
  counted_ = false;
  region().capture.add_all(*graph_);
  count_launches();
  graph_->instantiate();
  if (!settings().dot_file.empty()) {
    graph_->write_dot(settings().dot_file);
  }
}

void GraphRunner::open_graph() {
  region().buffers.clear_old(region().program.running());
  watch_launches();
  show_graph();
}

/// Its launches are the ticks of the region, which are counted already.
void GraphRunner::show_graph() {
  show({[] { return std::nullopt; },
        [this](std::size_t most) { return graph_->measured_until_now(most); }});
}

void GraphRunner::watch_launches() {
  if (region().options().watchdog.count() > 0) {
    watch_.emplace(poller_, *this, region().options().watchdog,
                   LaunchWatch::Actions{[this] { note_hang(); },
                                        [this](const DeviceWork& work) {
                                          DeviceEngine::get().in_flight().give_up(
                                              {.device = work.stream->device(), .work = work},
                                              hang_);
                                        }});
  }
}

/// When an operator reads the number, and no kernel writes it yet.
void GraphRunner::count_launches() {
  if (counts_ && !counted_) {
    graph_->count_launches(iteration_, launches_.count());
    counted_ = true;
  }
}

void GraphRunner::drop_graph() noexcept {
  hide();
  watch_.reset();
  // finish() has not waited when it failed, or the run was given up. A device that has failed
  // throws here, on which nothing runs any more, or a stream whose partition is gone with it.
  const auto attempt = [](const auto& wait) {
    try {
      wait();
    } catch (const std::exception&) {
      return;
    }
  };
  attempt([this] { wait_for_launched(); });
  attempt([this] { staged_.finish(); });
  graph_.reset();
  staged_.close();
  iteration_ = nullptr;
  launches_.clear();
  earlier_.clear();
  streams_.release();
}

const std::uint64_t* GraphRunner::iteration_of(NodeId /*node*/) {
  counts_ = true;
  return iteration_;
}

void GraphRunner::publish_result(const Output& output, const Origin* origin) {
  const std::size_t bytes = region().graph().tensors[output.tensor].spec->bytes();
  for (Transmitter* transmitter : output.transmitters) {
    void* const memory = region().buffers.memory().allocate(bytes, MemoryStorageType::Device);
    Message message =
        region().ports.new_result(output, region().buffers.memory(), memory,
                                  MemoryStorageType::Device, origin, launches_.count() - 1);
    streams_.copy(memory, region().buffers.tensor(output.tensor).pointer(), bytes);
    RegionPorts::publish(*transmitter, std::move(message), origin);
  }
}

/// CUDA switches nodes off that are in no branch. An operator that passes its input on needs other
/// nodes.
bool GraphRunner::switches_nodes(NodeId node) const {
  const DeviceNode& at = region().program.running().nodes[node];
  return at.body.is_iteration() && !at.traits.pass_through;
}

/// Puts what a program has changed into the graph, which is built. Iterations that were launched
/// keep what they have.
void GraphRunner::apply_edits() {
  const std::string edits = region().program.edits_text();
  EditCost cost = EditCost::Nothing;
  if (region().program.must_rebuild()) {
    change_shapes();
    cost = EditCost::Instantiation;
  }
  cost = std::max(cost, change_nodes());
  tell_edits(edits, to_text(cost));
  settle();
}

/// Iterations that were launched need the operators of before. `news` goes into the graph with
/// those that come.
void GraphRunner::exchange(const RegionProgram::News& news) {
  finish_launched();
  region().program.want(news);
  if (!region().exchanges.run([this] { apply_edits(); })) {
    apply_edits();
  }
}

void GraphRunner::finish_launched() {
  const cuda::Stream stream = used_;
  wait_for_launched();
  staged_.finish();
  used_ = stream;
}

/// Iterations that were launched need the memory and the graph of before.
void GraphRunner::change_shapes() {
  finish_launched();
  hide();
  watch_.reset();
  if (graph_ != nullptr) {  // else it is made again, since an operator could not be exchanged
    graph_->check();
    earlier_.add(*graph_, launches_.count());
  }
  // What it keeps may be needed to capture again.
  const std::unique_ptr<DeviceGraph> before = std::move(graph_);
  try {
    rebuild();
  } catch (...) {
    graph_.reset();  // what there is of it
    throw;
  }
  watch_launches();
  show_graph();
}

/// By what the cost is of all that needs no other memory.
EditCost GraphRunner::change_nodes() {
  using Edit = ProgramEdit::Kind;
  EditCost cost = EditCost::Nothing;
  if (region().program.has_new_parameters()) {
    region().buffers.write_parameters(region().program.wanted(), *current_device_stream());
    ++parameter_sets_;
    cost = EditCost::Parameters;
  }
  cost = std::max(cost, replace_nodes());
  for (const ProgramEdit& edit : region().program.edits()) {
    if ((edit.kind == Edit::On || edit.kind == Edit::Off) && switches_nodes(edit.node)) {
      const bool on = edit.kind == Edit::On;
      guarded(
          region().operators.site(region().program.step_of(edit.node), on ? "enable" : "disable"),
          [&] { graph_->enable(edit.node, on); });
      cost = std::max(cost, EditCost::NodeUpdate);
    }
  }
  return cost;
}

/// Operators that were changed are captured anew, each alone.
EditCost GraphRunner::replace_nodes() {
  const auto nodes =
      region().program.nodes_to_replace([this](NodeId node) { return switches_nodes(node); });
  for (const NodeId node : nodes) {
    region().capture.replace(
        node, switches_nodes(node) || region().program.wanted().nodes[node].enabled, *graph_);
  }
  if (nodes.empty()) {
    return EditCost::Nothing;
  }
  count_launches();
  return graph_->update(streams_.event(streams_.stream()));
}

void GraphRunner::copy_inputs(std::vector<Message>& messages) {
  for (std::size_t i = 0; i < region().ports.inputs().size(); ++i) {
    const Input& input = region().ports.inputs()[i];
    const Tensor& from = region().shapes.tensor_of(i);
    Tensor& to = region().buffers.tensor(input.tensor);
    if (!staged_.pass(i, messages[i], from, to.pointer())) {
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
    if (!region().is_given_up()) {
      used_ = nullptr;  // nothing runs any more
    }
  }
  const std::string place = last_entered();
  return place.empty() ? place : "; region '" + region().name() + "' was " + place;
}

/// Where the last measured iteration is, if it has not ended.
std::string GraphRunner::last_entered() {
  std::vector<MeasuredIteration> measured = graph_ == nullptr
                                                ? std::vector<MeasuredIteration>{}
                                                : earlier_.with(graph_->measured_until_now());
  if (measured.empty()) {
    return {};
  }
  const std::uint64_t last = measured.back().number;
  const std::string entered = region().measured_operators(std::move(measured)).entered(last);
  return entered.empty() ? std::string()
                         : "in iteration " + std::to_string(last + 1) + ", in operator " + entered;
}

/// On the poller's thread.
void GraphRunner::note_hang() {
  hang_ = region().hang_text();
  if (const std::string place = last_entered(); !place.empty()) {
    hang_ += "; " + place;
  }
}

bool GraphRunner::has_hung() const noexcept { return watch_ && watch_->has_tripped(); }

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
  if (has_hung()) {
    told_of_hang_ = true;
    throw Error(ErrorCode::Device, hang_);
  }
  if (std::exchange(acts_, false)) {
    with_place([this] { act(); });
  } else {
    with_place([this] { iterate(); });
  }
}

/// Without a message.
void GraphRunner::act() {
  const cuda::Streams::Tick tick(streams_);
  used_ = streams_.stream();
  exchange(region().program.take());
  streams_.check();
}

void GraphRunner::iterate() {
  launches_.wait_for_room();
  // Goes after the tick: a tensor that was copied ahead waits for its copy, and not, as what goes
  // in a tick does, for all that the tick's stream was given.
  std::vector<Message> messages;
  const cuda::Streams::Tick tick(streams_);
  // Before the first message: iterations share memory, so all are on one stream, and none is taken
  // over.
  const cuda::Stream stream = streams_.stream();
  used_ = stream;
  messages =
      region().ports.receive([](Receiver& receiver) { return receiver.receive_unfinished(); });
  RegionProgram::News news;
  if (region().instance.changes().any()) [[unlikely]] {
    news = region().program.take();
  }
  if (!is_built()) {
    news.steps.clear();  // they are captured now
    build_for(messages);
  }
  if (region().exchanges.is_due()) [[unlikely]] {
    exchange(std::exchange(news, {}));
  }
  if (!region().shapes.find_tensors(messages)) [[unlikely]] {
    region().shapes.want(messages, news, region().program);
    apply_edits();
    region().shapes.require_tensors(messages);
  } else if (!news.steps.empty() || !news.switched.empty()) [[unlikely]] {
    region().program.want(news);
    apply_edits();
  }
  copy_inputs(messages);
  graph_->launch(stream);
  // With an event for each launch it is seen whether they come to their ends one after the other.
  const DeviceWork launch = streams_.event(stream);
  launches_.note(launch);
  if (watch_) {
    watch_->launched(launch);
  }
  const Origin origin = messages.empty()
                            ? Origin{}
                            : RegionPorts::origin_of(messages[region().graph().timestamp_from]);
  for (const Output& output : region().ports.outputs()) {
    publish_result(output, messages.empty() ? nullptr : &origin);
  }
  streams_.check();
}

/// Ports are not touched: they may be gone.
void GraphRunner::wait_for_launched() {
  if (used_ != nullptr) {
    const DeviceWork all = streams_.event(used_);
    all.stream->wait_on_host(all.number);
    used_ = nullptr;
  }
}

void GraphRunner::finish() {
  hide();
  DeviceRuntime::get().use_device(region().options().device);
  try {
    with_place([this] {
      wait_for_launched();
      staged_.finish();
      if (graph_ != nullptr) {
        graph_->check();
      }
    });
  } catch (const Error&) {
    if (watch_) {
      watch_->stop_polling();
    }
    // Behind another graph that hangs it does not end, either.
    hangs_ = has_hung() || region().is_given_up();
    if (has_hung() && !told_of_hang_) {
      throw Error(ErrorCode::Device, hang_);
    }
    if (hangs_) {
      throw Error(ErrorCode::Device, "region '" + region().name() + "' does not end");
    }
    throw;
  }
  watch_.reset();
  if (graph_ != nullptr) {
    GraphStatistics statistics{region().name(), launches_.count(), 0, false};
    const DeviceGraphUpdates updates = earlier_.with(graph_->updates());
    statistics.parameter_sets = parameter_sets_;
    statistics.node_updates = updates.nodes;
    statistics.graph_updates = updates.graphs;
    statistics.instantiations = updates.instantiations;
    if (region().options().instrument_every > 0) {
      add_measures(earlier_.with(graph_->measured()), statistics);
    }
    set_statistics(std::move(statistics));
  }
}

}  // namespace gxr

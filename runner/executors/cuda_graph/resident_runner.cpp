#include "executors/cuda_graph/resident_runner.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <utility>

#include "executors/term_checks.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/cuda/streams.hpp"
#include "gxr/error.hpp"
#include "observe/chaos.hpp"
#include "plan/step_order.hpp"
#include "sdk/engine_access.hpp"

namespace gxr {
namespace {

constexpr std::uint64_t kEndless = std::numeric_limits<std::uint64_t>::max();

bool has_message(const Receiver& receiver) { return receiver.size() + receiver.back_size() > 0; }

/// Receivers that drop messages by their policy hold nobody back.
bool may_overflow(const Transmitter& transmitter) {
  return std::ranges::any_of(transmitter.receivers(), [](const Receiver* receiver) {
    const StagedRing* const ring = EngineAccess::content(*receiver);
    return ring == nullptr || ring->policy() == OverflowPolicy::Fault;
  });
}

}  // namespace

/// The scheduling term of the region's entity.
class ResidentRunner::Term final : public SchedulingTerm {
 public:
  explicit Term(ResidentRunner& runner) : runner_(runner) {}
  Condition check(std::int64_t /*now*/) override { return runner_.check(); }
  void events(TermEvents& events) override { runner_.events(events); }
  [[nodiscard]] std::string explain() const override { return runner_.explain(); }

 private:
  ResidentRunner& runner_;
};

/// Page-locked memory for results that processors read.
class ResidentRunner::PinnedMemory final : public Allocator {
 public:
  void* allocate(std::size_t size, MemoryStorageType /*storage*/) override {
    void* const memory = runtime_.allocate_pinned(size);
    if (memory == nullptr) {
      throw Error(ErrorCode::OutOfMemory, "no " + std::to_string(size) +
                                              " bytes of page-locked memory are left for a result");
    }
    return memory;
  }
  void free(void* pointer) override { free_after(pointer, {}); }
  void free_after(void* pointer, const DeviceUsers& users) override {
    runtime_.free_pinned(pointer, users);
  }
  [[nodiscard]] bool is_available(std::size_t /*size*/) const override { return true; }

 private:
  DeviceRuntime& runtime_ = DeviceRuntime::get();
};

ResidentRunner::ResidentRunner(const Plan& plan, const Region& region, Instance& instance,
                               Context& context, Poller& poller,
                               std::shared_ptr<ResidentControl> control)
    : RegionRunner(plan, region, instance, context),
      poller_(poller),
      control_(std::move(control)) {}

ResidentRunner::~ResidentRunner() {
  control_->attach(nullptr);
  poller_.remove(*this);
}

LiveEntity ResidentRunner::merge(const std::vector<LiveEntity>& entities) {
  LiveEntity merged = RegionRunner::merge(entities);
  const auto on_gpu = [&](const Receiver* receiver) {
    const auto codelets = instance().components_of(receiver->entity_id());
    return std::ranges::any_of(codelets, [&](Component* each) {
      return dynamic_cast<cuda::Codelet*>(each) != nullptr ||
             (dynamic_cast<GraphOperator*>(each) != nullptr && context().graph_device(*each));
    });
  };
  for (const Output& output : outputs()) {
    on_device_.push_back(
        std::ranges::all_of(output.transmitters, [&](const Transmitter* transmitter) {
          return std::ranges::all_of(transmitter->receivers(), on_gpu);
        }));
  }
  term_ = std::make_unique<Term>(*this);
  attach_to_entity(*term_);
  merged.terms = {term_.get()};
  for (Transmitter* transmitter : ports().transmitters()) {
    add_room_term(*transmitter, entities, merged.terms);
  }
  return merged;
}

/// The user's term for the room behind a transmitter, or one that nobody wrote.
void ResidentRunner::add_room_term(Transmitter& transmitter,
                                   const std::vector<LiveEntity>& entities,
                                   std::vector<SchedulingTerm*>& terms) {
  bool is_there = false;
  for (const LiveEntity& entity : entities) {
    for (SchedulingTerm* term : entity.terms) {
      if (question_of(*term, instance()).transmitter == &transmitter) {
        terms.push_back(term);
        is_there = true;
      }
    }
  }
  if (!is_there && may_overflow(transmitter)) {
    auto& term = *room_terms_.emplace_back(std::make_unique<DownstreamReceptiveSchedulingTerm>());
    attach_to_entity(term);
    EngineAccess::wait_behind(term, transmitter);
    terms.push_back(&term);
  }
}

std::uint64_t ResidentRunner::count_limit() const {
  std::uint64_t least = kEndless;
  for (const GraphStep& step : graph().steps) {
    least = std::min(least, step.count.value_or(kEndless));
  }
  return least;
}

void ResidentRunner::launch() {
  finish_streams();
  if (pinned_ == nullptr) {
    pinned_ = std::make_unique<PinnedMemory>();
  }
  limit_ = count_limit();
  rung_ = 0;
  put_ = 0;
  changing_ = false;
  ran_ns_ = 0;
  late_ = 0;
  measured_.clear();
  published_ = 0;
  fetched_ = 0;
  next_.reset();
  const std::size_t remembered = std::size_t{2} * graph().options.slots + 1;
  accepted_.assign(inputs().size(), {0, 0, std::vector<Origin>(remembered),
                                     std::vector<std::uint64_t>(remembered), false});
  made_room_.assign(remembered, 0);
  if (graph().options.input_timeout.count() > 0) {
    late_inputs_.emplace(graph().options.input_timeout, graph().options.missing_data);
    last_.clear();
  }
  buffers().clear_old(program().running());
  buffers().write_parameters(program().running());
  loop_->launch(limit_);
  runs_ = true;
  torn_down_ = false;
  is_over_ = false;
  began_ = std::chrono::steady_clock::now();
  has_deadline_.store(timeout_.count() > 0, std::memory_order_release);
  was_busy_ = false;
  const bool launches = std::ranges::any_of(graph().branches, [](const GraphBranch& branch) {
    return branch.launch != BranchLaunch::InIteration;
  });
  runs_unasked_.store(launches || !graph().handlers.empty(), std::memory_order_release);
  news_from_.store(first_news(), std::memory_order_release);
  seen_.store(0, std::memory_order_release);
  expects_.store(is_busy(0), std::memory_order_release);
}

void ResidentRunner::drop_graph() noexcept {
  control_->attach(nullptr);
  poller_.remove(*this);
  last_.clear();
  next_.reset();
  loop_.reset();
  in_stream_.reset();
  out_stream_.reset();
}

/// Is one input enough for an iteration? With a single one it makes no difference.
bool ResidentRunner::takes_any() const noexcept {
  return graph().options.ready == GraphReady::Any && inputs().size() + graph().handlers.size() > 1;
}

/// What iterations have taken of an input, when so many are done.
std::uint64_t ResidentRunner::taken(std::size_t input, std::uint64_t finished) const {
  return takes_any() ? loop_->taken(input, finished) : finished;
}

/// Are there inputs that no iteration has taken, or may the GPU find some by itself?
bool ResidentRunner::has_work(std::uint64_t finished) const noexcept {
  std::size_t with_work = 0;
  for (std::size_t i = 0; i < inputs().size(); ++i) {
    with_work += accepted_[i].count > taken(i, finished) ? 1 : 0;
  }
  if (takes_any()) {
    return with_work > 0 || !graph().handlers.empty();
  }
  return with_work == inputs().size() && (!graph().options.host_driven || rung_ > finished);
}

/// Does the loop work on something, or will it without our doing?
bool ResidentRunner::is_busy(std::uint64_t finished) const noexcept {
  const bool has_room = outputs().empty() || finished < fetched_ + graph().options.slots;
  const bool stands = changing_ && finished >= change_at_;
  return runs_ && !stands && finished < limit_ && has_room && has_work(finished);
}

bool ResidentRunner::has_input(const Input& input) {
  return std::ranges::all_of(input.receivers,
                             [](const Receiver* each) { return has_message(*each); });
}

/// Is there something to give to this input, and room for it?
bool ResidentRunner::can_accept(std::size_t input, std::uint64_t finished) const {
  return has_input(inputs()[input]) && accepted_[input].count < limit_ &&
         accepted_[input].count - taken(input, finished) < graph().options.slots;
}

bool ResidentRunner::can_accept(std::uint64_t finished) const {
  if (loop_ == nullptr) {
    // It is built for the first messages.
    return !inputs().empty() && limit_ > 0 &&
           std::ranges::all_of(ports().receivers(),
                               [](const Receiver* each) { return has_message(*each); });
  }
  if (inputs().empty() || !runs_ || is_over_ || changing_) {
    return false;
  }
  std::size_t with_more = 0;
  for (std::size_t i = 0; i < inputs().size(); ++i) {
    with_more += can_accept(i, finished) ? 1 : 0;
  }
  return takes_any() ? with_more > 0 : with_more == inputs().size();
}

bool ResidentRunner::can_publish(std::uint64_t finished) const noexcept {
  return !outputs().empty() && finished > published_;
}

Condition ResidentRunner::check() {
  const std::lock_guard guard(mutex_);
  if (loop_ == nullptr) {
    return {can_accept(0) ? ConditionType::Ready : ConditionType::Wait, 0};
  }
  if (reminded_.exchange(false, std::memory_order_acq_rel)) {
    look_after_loop();
  }
  look_for_changes();
  // Looked at once: what happens from now on, the poller will tell.
  const std::uint64_t finished = loop_->finished();
  chaos();
  seen_.store(finished, std::memory_order_release);
  chaos();
  const bool busy = is_busy(finished);
  require_progress(finished, busy);
  expects_.store(busy, std::memory_order_release);
  chaos();
  if (busy) {
    poller_.wake();
  }
  const bool late = are_inputs_late(finished);
  if (late || can_accept(finished) || can_publish(finished) || can_change(finished)) {
    return {ConditionType::Ready, 0};
  }
  if (finished >= limit_ && !torn_down_) {
    return {ConditionType::Never, 0};
  }
  const bool waits = graph().options.host_driven || torn_down_ || is_over_ ||
                     (timeout_.count() > 0 && runs_) ||
                     (late_inputs_ && late_inputs_->has_waiting());
  return {busy || waits ? ConditionType::WaitEvent : ConditionType::Wait, 0};
}

std::string ResidentRunner::explain() const {
  for (const Receiver* receiver : ports().receivers()) {
    if (!has_message(*receiver)) {
      return "waits for 1 message on '" + receiver->full_name() + "' (has 0)";
    }
  }
  return "waits for the GPU";
}

void ResidentRunner::events(TermEvents& events) {
  for (Receiver* receiver : ports().receivers()) {
    events.message(*receiver);
  }
  events.notification();
}

/// True: the loop has it already.
bool ResidentRunner::put(std::size_t input, const Message& message) {
  const Tensor& from = ports().checked_tensor(inputs()[input], message);
  const bool on_device = from.storage_type() == MemoryStorageType::Device;
  const DeviceWork work = cuda::work_behind(message);
  DeviceStream& stream = in_stream_->get();
  if (work) {
    stream.wait_for(work);
  }
  const bool is_read = loop_->put(input, from.pointer(), !on_device && !work, stream);
  if (!is_read) {
    // The memory is used again only after the copy.
    const_cast<Tensor&>(from).add_device_user(stream);
  }
  return is_read;
}

/// Gives the loop a message of each input that has one and room.
void ResidentRunner::accept(std::uint64_t finished) {
  const bool is_new = !is_built();
  std::vector<Message> messages(inputs().size());
  for (std::size_t i = 0; i < inputs().size(); ++i) {
    if (is_new || can_accept(i, finished)) {
      messages[i] = RegionPorts::receive(
          inputs()[i], [](Receiver& receiver) { return receiver.receive_unfinished(); });
    }
  }
  if (is_new) {
    // Values that were set before are in it from the begin.
    RegionProgram::News news = program().take();
    build_for(messages);
    news.steps.clear();
    program().want(news);
  }
  give(messages);
}

/// Gives the loop those that are not empty.
void ResidentRunner::give(const std::vector<Message>& messages) {
  for (std::size_t i = 0; i < inputs().size(); ++i) {
    if (messages[i]) {
      Accepted& accepted = accepted_[i];
      accepted.origins[accepted.count % accepted.origins.size()] =
          RegionPorts::origin_of(messages[i]);
      accepted.is_copied_by_stream = !put(i, messages[i]) || accepted.is_copied_by_stream;
      std::uint64_t& copied = accepted.copied[accepted.count % accepted.copied.size()];
      copied = 0;
      if (accepted.is_copied_by_stream) {
        copied = in_stream_->get().mark().number;
        in_stream_->get().record();  // later ones may wait for work that does not end
      }
      chaos();
      ++accepted.count;
    }
  }
  if (late_inputs_) {
    late_inputs_->given(LateInputs::Clock::now());
    if (graph().options.missing_data == MissingData::Hold) {
      last_ = messages;
    }
  }
}

Message ResidentRunner::fetch(std::size_t output, const Origin* origin) {
  const Output& port = outputs()[output];
  const std::size_t bytes = graph().tensors[port.tensor].spec->bytes();
  DeviceStream& stream = out_stream_->get();
  const bool on_device = on_device_[output];
  void* memory = nullptr;
  Allocator* from = pinned_.get();
  if (on_device) {
    memory = buffers().memory().allocate_for(bytes, &stream);
    from = &buffers().memory();
  } else {
    memory = pinned_->allocate(bytes, MemoryStorageType::Host);
  }
  Message message = ports().new_result(
      port, *from, memory, on_device ? MemoryStorageType::Device : MemoryStorageType::Host, origin,
      fetched_);
  if (const DeviceWork copied = loop_->take(output, memory, !on_device, stream)) {
    message.find<Tensor>()->add_device_user(stream);
    message.set_device_work(copied);
  }
  return message;
}

/// Of the next result to be fetched: that of `timestamp_from`, or, if that input has nothing new,
/// of the first that has; null: none has.
const RegionRunner::Origin* ResidentRunner::origin_of_next() {
  const Origin* first = nullptr;
  for (std::size_t i = 0; i < inputs().size(); ++i) {
    Accepted& accepted = accepted_[i];
    const std::uint64_t shown = std::exchange(accepted.shown, taken(i, fetched_ + 1));
    if (accepted.shown > shown && (first == nullptr || i == graph().timestamp_from)) {
      first = &accepted.origins[shown % accepted.origins.size()];
    }
  }
  return first;
}

/// The results of one iteration, of which large ones are still being copied.
ResidentRunner::Results ResidentRunner::fetch_next() {
  Results results;
  if (const Origin* const origin = origin_of_next(); origin != nullptr) {
    results.origin = *origin;
  }
  for (std::size_t output = 0; output < outputs().size(); ++output) {
    results.messages.push_back(fetch(output, results.origin ? &*results.origin : nullptr));
  }
  std::uint64_t& made_room = made_room_[fetched_ % made_room_.size()];
  made_room = 0;
  for (const Message& result : results.messages) {
    made_room = std::max(made_room, cuda::work_behind(result).number);
  }
  ++fetched_;
  return results;
}

void ResidentRunner::publish_next() {
  const Results results = next_ ? *std::exchange(next_, std::nullopt) : fetch_next();
  for (std::size_t output = 0; output < outputs().size(); ++output) {
    for (Transmitter* transmitter : outputs()[output].transmitters) {
      RegionPorts::publish(*transmitter, results.messages[output],
                           results.origin ? &*results.origin : nullptr);
    }
  }
  ++published_;
}

/// Does somebody on the CPU wait for copies? The next one begins while one is waited for.
bool ResidentRunner::may_copy_ahead() const {
  for (std::size_t output = 0; output < outputs().size(); ++output) {
    const GraphTensor& tensor = graph().tensors[outputs()[output].tensor];
    if (tensor.spec->bytes() > kMostSmallTensorBytes && !on_device_[output]) {
      return true;
    }
  }
  return false;
}

/// Without ports only the end concerns anybody.
std::uint64_t ResidentRunner::first_news() const noexcept {
  return inputs().empty() && outputs().empty() ? limit_ : 0;
}

void ResidentRunner::tick() {
  const std::lock_guard guard(mutex_);
  const std::uint64_t finished = loop_ != nullptr ? loop_->finished() : 0;
  if (can_change(finished)) {
    change();
    return;
  }
  if (can_accept(finished)) {
    accept(finished);
  } else if (are_inputs_late(finished)) {
    go_on_without_late_inputs();
  }
  if (can_publish(finished)) {
    publish_next();
  }
  if (!next_ && runs_ && copies_ahead_ && loop_->finished() > fetched_) {
    next_ = fetch_next();
  }
}

bool ResidentRunner::expects_news() const noexcept {
  return expects_.load(std::memory_order_acquire);
}

bool ResidentRunner::has_news() noexcept {
  const std::uint64_t finished = loop_->finished();
  if (finished < news_from_.load(std::memory_order_acquire)) {
    return false;  // nobody could do anything
  }
  std::uint64_t seen = seen_.load(std::memory_order_seq_cst);
  chaos();
  return finished != seen && seen_.compare_exchange_strong(seen, finished);
}

void ResidentRunner::remind() noexcept {
  constexpr auto kNever = LateInputs::Clock::time_point::max();
  auto late_at = late_at_.load(std::memory_order_acquire);
  // Said once: whoever looks sets another time.
  const bool is_late = LateInputs::Clock::now() >= late_at &&
                       late_at_.compare_exchange_strong(late_at, kNever, std::memory_order_acq_rel);
  if (expects_.load(std::memory_order_acquire) || has_deadline_.load(std::memory_order_acquire) ||
      is_late || runs_unasked_.load(std::memory_order_acquire)) {
    wake_entity();
  }  // else it is idle, and keeps nobody from being done
}

void ResidentRunner::wake_entity() noexcept {
  reminded_.store(true, std::memory_order_release);
  chaos();
  context().notify(*this);
}

}  // namespace gxr

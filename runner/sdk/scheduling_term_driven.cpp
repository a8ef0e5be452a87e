// The terms of gxr/driven_terms.hpp: what other components say is the answer.

#include <string>

#include "gxr/driven_terms.hpp"
#include "gxr/error.hpp"
#include "gxr/outside_queue.hpp"

namespace gxr {
namespace {

std::string nanoseconds(std::int64_t time) { return std::to_string(time) + " ns"; }

ConditionType condition_of(Receiver& receiver) {
  const ConditionType otherwise = answer_while_waiting(receiver, 1);
  return receiver.size() + receiver.back_size() > 0 ? ConditionType::Ready : otherwise;
}

}  // namespace

AsynchronousSchedulingTerm::~AsynchronousSchedulingTerm() = default;
TargetTimeSchedulingTerm::~TargetTimeSchedulingTerm() = default;
BTSchedulingTerm::~BTSchedulingTerm() = default;

Condition AsynchronousSchedulingTerm::check(std::int64_t) {
  switch (event_state()) {
    case AsynchronousEventState::Ready:
    case AsynchronousEventState::EventDone:
      return {ConditionType::Ready, 0};
    case AsynchronousEventState::Wait:
      return {ConditionType::Wait, 0};
    case AsynchronousEventState::EventWaiting:
      return {ConditionType::WaitEvent, 0};
    case AsynchronousEventState::EventNever:
      break;
  }
  return {ConditionType::Never, 0};
}

void AsynchronousSchedulingTerm::events(TermEvents& events) { events.notification(); }

std::string AsynchronousSchedulingTerm::explain() const {
  switch (event_state()) {
    case AsynchronousEventState::EventWaiting:
      return "waits for an event from outside, which is to be told to '" + full_name() + "'";
    case AsynchronousEventState::EventNever:
      return "the event of '" + full_name() + "' will not come any more";
    default:
      return "waits until some component sets '" + full_name() + "' ready";
  }
}

void AsynchronousSchedulingTerm::set_event_state(AsynchronousEventState state) {
  state_.store(state, std::memory_order_release);
  context().notify(*this);
}

void TargetTimeSchedulingTerm::declare(Interface& interface) {
  interface.parameter(clock_, "clock", "Clock whose time is the first target");
}

void TargetTimeSchedulingTerm::initialize() {
  const std::lock_guard lock(mutex_);
  target_.reset();
  locked_.reset();
  if (awaited_ == nullptr) {
    target_ = clock_->timestamp();
  }
}

void TargetTimeSchedulingTerm::deinitialize() { awaited_ = nullptr; }

void TargetTimeSchedulingTerm::wait_for_messages(Receiver& receiver) {
  const std::lock_guard lock(mutex_);
  if (awaited_ != nullptr && awaited_ != &receiver) {
    throw Error(ErrorCode::InvalidState, "'" + full_name() + "' already waits for messages on '" +
                                             awaited_->full_name() + "', so it cannot wait for " +
                                             "those on '" + receiver.full_name() +
                                             "' too: give each component a term of its own");
  }
  awaited_ = &receiver;
  target_.reset();
}

Condition TargetTimeSchedulingTerm::check(std::int64_t now) {
  const std::lock_guard lock(mutex_);
  if (!locked_) {
    locked_ = target_;
    target_.reset();
  }
  if (!locked_) {
    return {awaited_ != nullptr ? condition_of(*awaited_) : ConditionType::Wait, 0};
  }
  return {*locked_ <= now ? ConditionType::Ready : ConditionType::WaitTime, *locked_};
}

void TargetTimeSchedulingTerm::on_execute(std::int64_t now) {
  const std::lock_guard lock(mutex_);
  // Another term of a combiner may have let the entity tick before its time.
  if (locked_ && *locked_ <= now) {
    locked_.reset();
  }
}

void TargetTimeSchedulingTerm::events(TermEvents& events) {
  events.notification();
  if (awaited_ != nullptr) {
    events.message(*awaited_);
  }
}

std::string TargetTimeSchedulingTerm::explain() const {
  const std::lock_guard lock(mutex_);
  if (awaited_ != nullptr && !locked_) {
    return "waits for a message on '" + awaited_->full_name() + "'";
  }
  return locked_ ? "waits for its target time, " + nanoseconds(*locked_)
                 : "waits until some component sets the next target time of '" + full_name() + "'";
}

void TargetTimeSchedulingTerm::set_next_target_time(std::int64_t time) {
  {
    const std::lock_guard lock(mutex_);
    if (locked_ && time < *locked_) {
      throw Error(ErrorCode::InvalidArgument, "'" + full_name() + "' already waits for " +
                                                  nanoseconds(*locked_) +
                                                  "; the target time after it cannot be " +
                                                  nanoseconds(time) + ", which is earlier");
    }
    target_ = time;
  }
  context().notify(*this);
}

void BTSchedulingTerm::declare(Interface& interface) {
  interface.parameter(is_root_, "is_root", "Whether the entity is the root of its tree",
                      "The root ticks from the start; others wait until their parent starts them.");
}

void BTSchedulingTerm::initialize() {
  condition_.store(*is_root_ ? ConditionType::Ready : ConditionType::Wait,
                   std::memory_order_release);
}

Condition BTSchedulingTerm::check(std::int64_t now) {
  const ConditionType type = condition();
  if (type != ConditionType::WaitTime) {
    return {type, 0};
  }
  const std::int64_t target = target_.load(std::memory_order_relaxed);
  return {target <= now ? ConditionType::Ready : ConditionType::WaitTime, target};
}

void BTSchedulingTerm::events(TermEvents& events) { events.notification(); }

std::string BTSchedulingTerm::explain() const {
  return "waits for its parent in the behaviour tree to start it ('" + full_name() + "')";
}

void BTSchedulingTerm::set_condition(ConditionType condition, std::int64_t target) {
  const bool known = condition == ConditionType::Ready || condition == ConditionType::Never ||
                     condition == ConditionType::WaitTime;
  target_.store(target, std::memory_order_relaxed);
  condition_.store(known ? condition : ConditionType::Wait, std::memory_order_release);
  context().notify(*this);
}

}  // namespace gxr

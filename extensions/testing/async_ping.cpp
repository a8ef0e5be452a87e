#include "async_ping.hpp"

#include <chrono>
#include <limits>
#include <utility>

namespace gxr::testing {

void EventSource::start(AsynchronousSchedulingTerm& term, std::int64_t delay_ms) {
  stop();
  stopped_ = false;
  thread_ = std::thread([this, &term, delay_ms] { run(term, delay_ms); });
}

void EventSource::stop() {
  {
    const std::lock_guard lock(mutex_);
    stopped_ = true;
  }
  stopping_.notify_one();
  if (thread_.joinable()) {
    thread_.join();
  }
}

void EventSource::run(AsynchronousSchedulingTerm& term, std::int64_t delay_ms) {
  std::unique_lock lock(mutex_);
  while (
      !stopping_.wait_for(lock, std::chrono::milliseconds(delay_ms), [this] { return stopped_; })) {
    if (term.event_state() == AsynchronousEventState::EventWaiting) {
      term.set_event_state(AsynchronousEventState::EventDone);
    }
  }
}

void AsyncPingTx::declare(Interface& interface) {
  interface.parameter(delay_, "delay", "Time from one event to the next", "Real time.")
      .default_value(10)
      .range(1, 1e9)
      .unit("ms");
  interface.output(signal_, "signal", "An empty message per event");
  interface.parameter(count_, "count", "Messages to publish", "0: without end.")
      .default_value(0)
      .unit("messages");
  interface.parameter(scheduling_term_, "scheduling_term", "Term of the entity that is set");
}

void AsyncPingTx::start() {
  ticks_ = 0;
  scheduling_term_->set_event_state(AsynchronousEventState::EventWaiting);
  events_.start(*scheduling_term_.get().get(), *delay_);
}

void AsyncPingTx::tick() {
  Message message = context().new_message();
  message.set_sequence(ticks_);
  signal_->publish(std::move(message));
  ++ticks_;
  scheduling_term_->set_event_state(ticks_ == *count_ ? AsynchronousEventState::EventNever
                                                      : AsynchronousEventState::EventWaiting);
}

void AsyncPingRx::declare(Interface& interface) {
  interface.parameter(delay_, "delay", "Time from one event to the next", "Real time.")
      .default_value(10)
      .range(1, 1e9)
      .unit("ms");
  interface.input(signal_, "signal", "Messages to take, one per event");
  interface.parameter(scheduling_term_, "scheduling_term", "Term of the entity that is set");
}

void AsyncPingRx::start() {
  scheduling_term_->set_event_state(AsynchronousEventState::EventWaiting);
  events_.start(*scheduling_term_.get().get(), *delay_);
}

void AsyncPingRx::tick() {
  signal_->receive();
  scheduling_term_->set_event_state(AsynchronousEventState::EventWaiting);
}

void ScheduledPingTx::declare(Interface& interface) {
  interface.parameter(delay_, "delay", "Time from one message to the next").minimum(0).unit("ns");
  interface.parameter(execution_clock_, "execution_clock", "Clock of the scheduler");
  interface.output(signal_, "signal", "An empty message per tick");
  interface.parameter(scheduling_term_, "scheduling_term",
                      "Term of the entity that gets the time of the next tick");
  interface
      .parameter(offset_clock_, "offset_clock", "Clock in whose time the messages are stamped",
                 "Left out: the execution clock.")
      .optional();
}

void ScheduledPingTx::tick() {
  const std::int64_t now = execution_clock_->timestamp();
  const std::int64_t acqtime = offset_clock_.has_value() ? offset_clock_->timestamp() : now;
  Message message = context().new_message();
  message.set_sequence(static_cast<std::uint64_t>(execution_count() - 1));
  message.set_source_time(acqtime);
  signal_->publish(std::move(message), acqtime);
  std::int64_t next = 0;
  if (__builtin_add_overflow(now, *delay_, &next)) {
    next = std::numeric_limits<std::int64_t>::max();
  }
  scheduling_term_->set_next_target_time(next);
}

}  // namespace gxr::testing

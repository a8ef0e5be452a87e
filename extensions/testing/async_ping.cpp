#include "async_ping.hpp"

#include <chrono>
#include <exception>
#include <limits>
#include <string>
#include <utility>

#include "saturated_sum.hpp"

namespace gxr::testing {

void EventSource::start(AsynchronousSchedulingTerm& term, std::int64_t delay_ms) {
  stop();
  stopped_ = false;
  try {
    thread_ = std::thread([this, &term, delay_ms] { run(term, delay_ms); });
  } catch (const std::exception& error) {
    throw Error(ErrorCode::OutOfMemory,
                std::string("the thread that makes events cannot be started: ") + error.what());
  }
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
  events_.start(*scheduling_term_.get().get(), *delay_);
}

void AsyncPingTx::tick() {
  Message message = context().new_message();
  message.set_sequence(ticks_);
  output_.publish(*this, signal_, std::move(message));
  ++ticks_;
  scheduling_term_->set_event_state(ticks_ == *count_ ? AsynchronousEventState::EventNever
                                                      : AsynchronousEventState::EventWaiting);
}

void AsyncPingTx::stop() {
  events_.stop();
  output_.finish(*this);
}

void AsyncPingRx::declare(Interface& interface) {
  interface.parameter(delay_, "delay", "Time from one event to the next", "Real time.")
      .default_value(10)
      .range(1, 1e9)
      .unit("ms");
  interface.input(signal_, "signal", "Messages to take, one per tick when there is one");
  interface.parameter(scheduling_term_, "scheduling_term", "Term of the entity that is set");
}

void AsyncPingRx::start() { events_.start(*scheduling_term_.get().get(), *delay_); }

void AsyncPingRx::tick() {
  if (signal_->pop()) {
    scheduling_term_->set_event_state(AsynchronousEventState::EventWaiting);
  }
}

void ScheduledPingTx::declare(Interface& interface) {
  interface.parameter(delay_, "delay", "Time from one message to the next").minimum(0).unit("ns");
  interface.parameter(execution_clock_, "execution_clock", "Clock of the scheduler");
  interface.output(signal_, "signal", "An empty message per tick");
  interface.parameter(scheduling_term_, "scheduling_term",
                      "Term of the entity that gets the time of the next tick");
  interface
      .parameter(offset_clock_, "offset_clock", "Clock whose time is added to the stamps of messages",
                 "Messages are stamped with the time of the next tick. Left out: nothing is added.")
      .optional();
}

void ScheduledPingTx::tick() {
  const std::int64_t next = saturated_sum(execution_clock_->timestamp(), *delay_);
  scheduling_term_->set_next_target_time(next);
  const std::int64_t stamp =
      offset_clock_.has_value() ? saturated_sum(next, offset_clock_->timestamp()) : next;
  Message message = context().new_message();
  message.add<Timestamp>("timestamp") = Timestamp{stamp, stamp};
  message.set_sequence(static_cast<std::uint64_t>(execution_count() - 1));
  message.set_source_time(stamp);
  output_.publish(*this, signal_, std::move(message));
}

}  // namespace gxr::testing

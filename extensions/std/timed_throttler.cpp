#include "timed_throttler.hpp"

#include <utility>

namespace gxr {

void TimedThrottler::declare(Interface& interface) {
  interface.output(transmitter_, "transmitter", "Each message at its time");
  interface.input(receiver_, "receiver", "Messages with a Timestamp");
  interface.parameter(execution_clock_, "execution_clock", "Clock of the scheduler");
  interface.parameter(throttling_clock_, "throttling_clock",
                      "Clock from which the timestamps were read",
                      "Timestamps are moved to the execution clock by the difference of the two "
                      "clocks at the start.");
  interface.parameter(scheduling_term_, "scheduling_term",
                      "Term of this entity that is given the time of the next message");
}

void TimedThrottler::initialize() {
  offset_ = execution_clock_->timestamp() - throttling_clock_->timestamp();
  next_.reset();
}

void TimedThrottler::tick() {
  const bool due = static_cast<bool>(next_);
  if (due) {
    transmitter_->publish(std::exchange(next_, {}));
    if (receiver_->size() == 0) {
      return;  // nothing to wait for: the term stays without a target
    }
  }
  Message message = receiver_->receive_unfinished();
  auto* timestamp = message.find<Timestamp>();
  if (timestamp == nullptr) {
    throw Error(ErrorCode::NotFound, "a message on '" + receiver_->full_name() +
                                         "' has no Timestamp that says when it is due");
  }
  timestamp->acqtime += offset_;
  timestamp->pubtime += offset_;
  scheduling_term_->set_next_target_time(timestamp->acqtime);
  next_ = std::move(message);
}

void TimedThrottler::stop() { next_.reset(); }

}  // namespace gxr

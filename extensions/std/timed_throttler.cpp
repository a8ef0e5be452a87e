#include "timed_throttler.hpp"

#include <algorithm>
#include <utility>

namespace gxr {
namespace {

/// As far as time goes.
std::int64_t moved(std::int64_t time, std::int64_t offset) {
  std::int64_t sum = 0;
  return !__builtin_add_overflow(time, offset, &sum) ? sum
         : offset > 0                                ? std::numeric_limits<std::int64_t>::max()
                                                     : std::numeric_limits<std::int64_t>::min();
}

}  // namespace

void TimedThrottler::declare(Interface& interface) {
  interface.output(transmitter_, "transmitter", "Each message at its time");
  interface.input(receiver_, "receiver", "Messages with a Timestamp");
  interface.passes_messages();
  interface.parameter(execution_clock_, "execution_clock", "Clock of the scheduler");
  interface.parameter(throttling_clock_, "throttling_clock",
                      "Clock from which the timestamps were read",
                      "Timestamps are moved to the execution clock by the difference of the two "
                      "clocks at the start. Other holders of a message, as behind a Broadcast, do "
                      "not see that.");
  interface.parameter(scheduling_term_, "scheduling_term",
                      "Term of this entity that is given the time of the next message");
}

void TimedThrottler::initialize() {
  offset_ = execution_clock_->timestamp() - throttling_clock_->timestamp();
  next_.reset();
  last_target_ = std::numeric_limits<std::int64_t>::min();
  is_woken_ = scheduling_term_->entity_id() == entity_id();
  if (is_woken_) {
    scheduling_term_->wait_for_messages(receiver_);
  }
}

void TimedThrottler::tick() {
  if (next_) {
    transmitter_.publish(std::exchange(next_, {}));
  }
  if (!is_woken_ || receiver_->size() > 0) {
    take_next();
  }
}

void TimedThrottler::take_next() {
  Message message = receiver_->receive_unfinished();
  const auto* timestamp = message.find<Timestamp>();
  if (timestamp == nullptr) {
    throw Error(ErrorCode::NotFound, "a message on '" + receiver_->full_name() +
                                         "' has no Timestamp that says when it is due");
  }
  const std::int64_t due = moved(timestamp->acqtime, offset_);
  if (offset_ != 0) {
    auto& own = message.make_writable<Timestamp>();
    own.acqtime = due;
    own.pubtime = moved(own.pubtime, offset_);
  }
  // The term takes no time before the one that it waited for.
  last_target_ = std::max({due, execution_timestamp(), last_target_});
  scheduling_term_->set_next_target_time(last_target_);
  next_ = std::move(message);
}

void TimedThrottler::stop() {
  stopped_ += next_ ? 1 : 0;
  next_.reset();
}

std::vector<Discard> TimedThrottler::discards() const {
  return {{stopped_, 0, "its time had not come when the run ended"}};
}

}  // namespace gxr

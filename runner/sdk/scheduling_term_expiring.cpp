#include <algorithm>
#include <limits>
#include <string>

#include "gxr/error.hpp"
#include "gxr/message_terms.hpp"
#include "gxr/outside_queue.hpp"
#include "gxr/timestamp.hpp"

namespace gxr {

ExpiringMessageAvailableSchedulingTerm::~ExpiringMessageAvailableSchedulingTerm() = default;

void ExpiringMessageAvailableSchedulingTerm::declare(Interface& interface) {
  interface
      .parameter(max_batch_size_, "max_batch_size", "Messages with which the entity ticks at once")
      .unit("messages");
  interface
      .parameter(max_delay_ns_, "max_delay_ns",
                 "How long after its acquisition the oldest message may wait",
                 "Then the entity ticks with fewer messages. Every message needs a Timestamp.")
      .unit("ns");
  interface.parameter(receiver_, "receiver", "Receiver on which messages are waited for");
  interface.parameter(clock_, "clock", "Clock of the messages' timestamps",
                      "The scheduler's; its time is what counts.");
}

Condition ExpiringMessageAvailableSchedulingTerm::check(std::int64_t now) {
  Receiver& queue = *receiver_.get();
  const ConditionType otherwise = answer_while_waiting(queue, 1);
  const std::size_t waiting = queue.size() + queue.back_size();
  if (waiting == 0) {
    return {otherwise, 0};
  }
  if (*max_batch_size_ <= 0 || waiting >= static_cast<std::size_t>(*max_batch_size_)) {
    return {ConditionType::Ready, 0};
  }
  const Message* oldest = queue.oldest();
  const Timestamp* timestamp = oldest != nullptr ? oldest->find<Timestamp>() : nullptr;
  if (timestamp == nullptr) {
    throw Error(ErrorCode::NotFound, "the oldest message on '" + queue.full_name() +
                                         "' has no Timestamp, so nobody can tell when it expires; "
                                         "publish it with an acquisition time");
  }
  std::int64_t end = 0;
  if (__builtin_add_overflow(timestamp->acqtime, *max_delay_ns_, &end)) {
    end = *max_delay_ns_ > 0 ? std::numeric_limits<std::int64_t>::max()
                             : std::numeric_limits<std::int64_t>::min();
  }
  return {end <= now ? ConditionType::Ready : ConditionType::WaitTime, end};
}

void ExpiringMessageAvailableSchedulingTerm::events(TermEvents& events) {
  events.message(*receiver_.get());
}

std::string ExpiringMessageAvailableSchedulingTerm::explain() const {
  const Receiver& queue = *receiver_.get();
  const std::size_t waiting = queue.size() + queue.back_size();
  if (waiting == 0) {
    return "waits for a message on '" + queue.full_name() + "'";
  }
  return "waits for " + std::to_string(*max_batch_size_) + " messages on '" + queue.full_name() +
         "' (has " + std::to_string(waiting) + "), or until the oldest is " +
         std::to_string(*max_delay_ns_) + " ns old";
}

}  // namespace gxr

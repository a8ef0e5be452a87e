// MessageAvailableSchedulingTerm and DownstreamReceptiveSchedulingTerm: what an entity waits for at
// its queues.

#include <algorithm>
#include <string>

#include "gxr/outside_queue.hpp"
#include "gxr/queue.hpp"
#include "gxr/scheduling_term.hpp"
#include "sdk/engine_access.hpp"
#include "sdk/waiting_messages.hpp"

namespace gxr {
namespace {

constexpr auto kGreatestCapacity = static_cast<double>(StagedRing::kGreatestCapacity);

/// Messages in a queue whose entity another thread may run.
std::size_t messages_in(const Queue& queue) {
  const auto* const receiver = dynamic_cast<const Receiver*>(&queue);
  const auto* const counts = dynamic_cast<const ReceiverCounts*>(EngineAccess::context(queue));
  return receiver != nullptr && counts != nullptr ? counts->messages_in(*receiver)
                                                  : waiting_in(queue);
}

bool has_room(const Queue& queue, std::size_t messages) {
  const std::size_t used = messages_in(queue);
  const std::size_t capacity = queue.capacity();
  return used <= capacity && messages <= capacity - used;
}

}  // namespace

MessageAvailableSchedulingTerm::~MessageAvailableSchedulingTerm() = default;

void MessageAvailableSchedulingTerm::declare(Interface& interface) {
  interface.parameter(receiver_, "receiver", "Receiver on which messages are waited for");
  interface.parameter(min_size_, "min_size", "Messages that must be there")
      .default_value(1)
      .range(0, 2 * kGreatestCapacity)
      .unit("messages");
  interface
      .parameter(front_stage_max_size_, "front_stage_max_size",
                 "Messages that may be left from earlier ticks",
                 "Makes the entity wait while its receiver still holds more messages that were "
                 "there in the tick before.")
      .optional()
      .unit("messages");
  interface.waits_for_messages("receiver", "min_size", "front_stage_max_size");
}

void MessageAvailableSchedulingTerm::initialize() {
  const std::size_t capacity = receiver().capacity();
  if (capacity > 0 && *min_size_ > 2 * capacity) {
    log_warning("waits for " + count_of_messages(min_size()) + " on '" + receiver().full_name() +
                "', which holds at most " + std::to_string(2 * capacity) +
                " (twice its capacity): raise its capacity or lower min_size");
  }
}

Condition MessageAvailableSchedulingTerm::check(std::int64_t) {
  Receiver& queue = receiver();
  const ConditionType otherwise = answer_while_waiting(queue, min_size());
  const bool enough = waiting_in(queue) >= min_size();
  const bool front_clear = !front_stage_max_size() || queue.size() <= *front_stage_max_size();
  if (enough) {
    return {front_clear ? ConditionType::Ready : ConditionType::Wait, 0};
  }
  return {otherwise, 0};
}

void MessageAvailableSchedulingTerm::events(TermEvents& events) { events.message(receiver()); }

TermQuestion MessageAvailableSchedulingTerm::question() {
  return front_stage_max_size() ? TermQuestion{}
                                : TermQuestion{.receiver = &receiver(), .messages = min_size()};
}

std::string MessageAvailableSchedulingTerm::explain() const {
  const Receiver& queue = receiver();
  const std::size_t waiting = waiting_in(queue);
  if (waiting < min_size()) {
    return "waits for " + count_of_messages(min_size()) + " on '" + queue.full_name() + "' (has " +
           std::to_string(waiting) + ")";
  }
  return "waits until at most " + count_of_messages(front_stage_max_size().value_or(0)) +
         " from earlier ticks are on '" + queue.full_name() + "' (has " +
         std::to_string(queue.size()) + ")";
}

DownstreamReceptiveSchedulingTerm::~DownstreamReceptiveSchedulingTerm() = default;

void DownstreamReceptiveSchedulingTerm::declare(Interface& interface) {
  interface.parameter(transmitter_, "transmitter",
                      "Transmitter behind which every receiver must have room");
  interface.parameter(min_size_, "min_size", "Messages for which there must be room")
      .default_value(1)
      .range(0, kGreatestCapacity)
      .unit("messages");
  interface.waits_for_room("transmitter", "min_size");
}

Condition DownstreamReceptiveSchedulingTerm::check(std::int64_t) {
  if (outside_queue(transmitter()) != nullptr) {
    const ConditionType otherwise = answer_while_waiting(transmitter(), min_size());
    return {has_room(transmitter(), min_size()) ? ConditionType::Ready : otherwise, 0};
  }
  const std::vector<Receiver*>& receivers = transmitter().receivers();
  if (receivers.empty()) {
    return {ConditionType::Never, 0};
  }
  const bool room = std::all_of(receivers.begin(), receivers.end(),
                                [&](const Receiver* r) { return has_room(*r, min_size()); });
  return {room ? ConditionType::Ready : ConditionType::Wait, 0};
}

void DownstreamReceptiveSchedulingTerm::events(TermEvents& events) { events.space(transmitter()); }

TermQuestion DownstreamReceptiveSchedulingTerm::question() {
  return {.transmitter = &transmitter(), .messages = min_size()};
}

std::string DownstreamReceptiveSchedulingTerm::explain() const {
  std::vector<const Queue*> queues(transmitter().receivers().begin(),
                                   transmitter().receivers().end());
  if (outside_queue(transmitter()) != nullptr) {
    queues.push_back(&transmitter());
  }
  for (const Queue* queue : queues) {
    if (!has_room(*queue, min_size())) {
      return "waits for room for " + count_of_messages(min_size()) + " in '" + queue->full_name() +
             "' (holds " + std::to_string(messages_in(*queue)) + " of " +
             std::to_string(queue->capacity()) + ")";
    }
  }
  return "no receiver is connected to '" + transmitter().full_name() + "'";
}

}  // namespace gxr

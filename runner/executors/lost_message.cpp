#include "executors/lost_message.hpp"

#include <cstddef>
#include <optional>
#include <utility>

#include "executors/term_checks.hpp"
#include "gxr/error.hpp"
#include "gxr/scheduling_term.hpp"

namespace gxr {

namespace {

/// For how many messages a term makes the transmitter's entity wait for room, if one does.
std::optional<std::size_t> waits_for_room(const Instance& instance,
                                          const Transmitter& transmitter) {
  for (const LiveEntity& entity : instance.entities()) {
    for (SchedulingTerm* term : entity.terms) {
      if (const TermQuestion question = question_of(*term, instance);
          question.transmitter == &transmitter) {
        return question.messages;
      }
    }
  }
  return std::nullopt;
}

std::string advice(const Instance& instance, const Transmitter& transmitter,
                   const Receiver& receiver) {
  const std::optional<std::size_t> room = waits_for_room(instance, transmitter);
  if (!room) {
    return "a DownstreamReceptiveSchedulingTerm on the transmitter makes its entity wait, policy 0 "
           "or 1 of the receiver drops messages on purpose";
  }
  if (*room == 0) {
    return "the min_size of the transmitter's term is 0, so its entity does not wait for room: "
           "raise "
           "it, or let policy 0 or 1 of the receiver drop messages on purpose";
  }
  return "the transmitter's entity waits for room, but the min_size of its term is " +
         std::to_string(*room) +
         ", and more messages were published in one tick; raise min_size to their number, and "
         "'capacity' of '" +
         receiver.full_name() + "' to at least that";
}

}  // namespace

void report_lost_message(const Instance& instance, const Transmitter& transmitter,
                         const Receiver& receiver, const std::string& why, bool compat_gxf,
                         bool& is_known) {
  if (compat_gxf && std::exchange(is_known, true)) {
    return;
  }
  const std::string text = "a message from '" + transmitter.full_name() + "' to '" +
                           receiver.full_name() + "' has no room: " + why + "; " +
                           advice(instance, transmitter, receiver);
  if (!compat_gxf) {
    throw ComponentFailure({transmitter.entity_name(), transmitter.name(), transmitter.type(),
                            "publish", text, ErrorCode::Overflow});
  }
  transmitter.context().log(LogLevel::Warn, transmitter, text);
}

std::string full_queue_text(std::size_t capacity) {
  return "it is full (capacity " + std::to_string(capacity) + ", policy 2 = fault)";
}

}  // namespace gxr

#include "packets/ring_term.hpp"

namespace gxr::cuda {
namespace {

constexpr Duration kUsualTermInterval{1'000'000};

}  // namespace

void RingSchedulingTerm::declare(Interface& interface) {
  interface.parameter(ring_, "ring", "The ring that it looks at");
  interface.parameter(waits_for_, "waits_for", "What the entity waits for")
      .default_value("frame")
      .choices({{"frame", "a frame, for the entity that reads the ring"},
                {"room", "room for a frame, for the entity that writes to it"}});
  interface
      .parameter(poll_interval_, "poll_interval", "How often it looks at the ring",
                 "For a ring whose other end is another process, a GPU or a network card. Threads "
                 "and operators of this application wake it at once.")
      .default_value(kUsualTermInterval);
  interface.polls("poll_interval");
}

void RingSchedulingTerm::deinitialize() { ring_->wait_at(end(), nullptr); }

ConditionType RingSchedulingTerm::look() const {
  const RingView ring = ring_->on_host();
  if (end() == RingEnd::Writer) {
    return RingWriter(ring).room() > 0 ? ConditionType::Ready : ConditionType::WaitTime;
  }
  // Behind the look at the end: the last frames were published before it.
  const bool has_ended = ring_word::load_acquire(ring.header->ended) != 0;
  if (RingReader(ring).has_more()) {
    return ConditionType::Ready;
  }
  return has_ended ? ConditionType::Never : ConditionType::WaitTime;
}

/// It asks for a time itself, in the place of TermEvents::poll(): so the polls keep no run alive in
/// which the entity waits for its application, too.
Condition RingSchedulingTerm::check(std::int64_t now) {
  ConditionType answer = look();
  if (answer == ConditionType::WaitTime) {
    ring_->wait_at(end(), this);
    answer = look();  // what came before the other end could know
  }
  return {answer, answer == ConditionType::WaitTime ? now + poll_interval_->nanoseconds : 0};
}

void RingSchedulingTerm::events(TermEvents& events) { events.notification(); }

std::string RingSchedulingTerm::explain() const {
  return (end() == RingEnd::Reader ? "waits for a frame in '" : "waits for room in '") +
         ring_->full_name() + "'";
}

}  // namespace gxr::cuda

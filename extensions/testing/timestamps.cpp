#include "timestamps.hpp"

#include <limits>
#include <string>
#include <utility>

namespace gxr::testing {
namespace {

/// What `named` names, else the first Queue of the codelet's entity.
template <class Queue>
Queue* queue_of(const Codelet& codelet, const Parameter<Handle<Queue>>& named, const char* what) {
  if (named.has_value()) {
    return named.get().get();
  }
  for (Component* component : codelet.context().siblings(codelet)) {
    if (auto* queue = dynamic_cast<Queue*>(component)) {
      return queue;
    }
  }
  throw Error(ErrorCode::InvalidParameter,
              std::string("its entity has no ") + what + ", and parameter 'signal' names none");
}

std::int64_t time_of(const Codelet& codelet, const Parameter<Handle<Clock>>& clock) {
  return clock.has_value() ? clock->timestamp() : codelet.execution_timestamp();
}

}  // namespace

void TestTimestampTx::declare(Interface& interface) {
  interface.output(signal_, "signal", "One message per tick; left out: the first of the entity")
      .optional();
  interface.parameter(clock_, "clock", "Clock of the timestamps", "Left out: the scheduler's.")
      .optional();
}

void TestTimestampTx::start() { out_ = queue_of(*this, signal_, "transmitter"); }

void TestTimestampTx::tick() {
  const std::int64_t now = time_of(*this, clock_);
  Message message = context().new_message();
  message.add<Timestamp>("timestamp") = Timestamp{now, now};
  message.set_source_time(now);
  message.set_sequence(static_cast<std::uint64_t>(execution_count() - 1));
  out_->publish(std::move(message));
}

void TestTimestampRx::declare(Interface& interface) {
  interface.input(signal_, "signal", "Messages to check; left out: the entity's first receiver")
      .optional();
  interface.parameter(clock_, "clock", "Clock to compare with", "Left out: the scheduler's.")
      .optional();
}

void TestTimestampRx::start() {
  in_ = queue_of(*this, signal_, "receiver");
  last_ = std::numeric_limits<std::int64_t>::min();
}

void TestTimestampRx::tick() {
  const Message message = in_->receive();
  const auto& timestamp = message.get<Timestamp>();
  check(timestamp);
  last_ = timestamp.acqtime;
}

void TestTimestampRx::check(const Timestamp& timestamp) const {
  const std::int64_t now = time_of(*this, clock_);
  if (timestamp.acqtime > now || timestamp.pubtime > now) {
    throw Error(ErrorCode::InvalidData, "the message comes from the future: acqtime " +
                                            std::to_string(timestamp.acqtime) + ", pubtime " +
                                            std::to_string(timestamp.pubtime) + ", now it is " +
                                            std::to_string(now));
  }
  if (timestamp.acqtime < last_) {
    throw Error(ErrorCode::InvalidData, "acqtime " + std::to_string(timestamp.acqtime) +
                                            " lies before that of the message before, " +
                                            std::to_string(last_));
  }
}

}  // namespace gxr::testing

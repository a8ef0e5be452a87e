#include "timestamps.hpp"

#include <string>
#include <utility>

#include "saturated_sum.hpp"

namespace gxr::testing {

void TestTimestampTx::declare(Interface& interface) {
  interface.parameter(delay_, "delay", "Time from one message to the next").minimum(0).unit("ns");
  interface.parameter(execution_clock_, "execution_clock", "Clock of the scheduler");
  interface.output(signal_, "signal", "One message per tick");
  interface.parameter(scheduling_term_, "scheduling_term",
                      "Term of the entity that gets the time of the next tick");
  interface.parameter(offset_clock_, "offset_clock", "Accepted for GXF's files, without effect")
      .optional();
}

void TestTimestampTx::start() {
  scheduling_term_->set_next_target_time(execution_clock_->timestamp());
}

void TestTimestampTx::tick() {
  const std::int64_t now = execution_clock_->timestamp();
  scheduling_term_->set_next_target_time(saturated_sum(now, *delay_));
  Message message = context().new_message();
  message.set_sequence(static_cast<std::uint64_t>(execution_count() - 1));
  message.set_source_time(now);
  output_.publish(*this, signal_, std::move(message), now);
}

void TestTimestampRx::declare(Interface& interface) {
  interface.input(signal_, "signal", "Messages to check, one per tick");
  interface
      .parameter(delay_, "delay", "By how much both times must grow from message to message",
                 "Nothing is compared with a message whose publication time is 0, which means that "
                 "it has none.")
      .unit("ns");
}

void TestTimestampRx::tick() {
  const Message message = signal_.receive();
  const auto& timestamp = message.get<Timestamp>();
  if (last_.pubtime != 0) {
    check("acqtime", last_.acqtime, timestamp.acqtime);
    check("pubtime", last_.pubtime, timestamp.pubtime);
  }
  last_ = timestamp;
}

void TestTimestampRx::check(const char* what, std::int64_t before, std::int64_t now) const {
  if (now != saturated_sum(before, *delay_)) {
    throw Error(ErrorCode::InvalidData, std::string(what) + " " + std::to_string(now) +
                                            " follows " + std::to_string(before) +
                                            "; the difference must be " + std::to_string(*delay_) +
                                            " ns");
  }
}

}  // namespace gxr::testing

#include "mock_codelet.hpp"

#include <chrono>
#include <thread>
#include <utility>

namespace gxr::testing {

void MockCodelet::declare(Interface& interface) {
  interface.parameter(mode_, "mode", "What it does with messages")
      .default_value("PROCESS")
      .choices({{"SRC", "publishes a new message per tick"},
                {"SINK", "takes a message per tick"},
                {"PROCESS", "takes a message per tick and publishes it again"}});
  interface.input(receiver_, "receiver", "Messages to take").optional();
  interface.output(transmitter_, "transmitter", "Messages to publish").optional();
  interface.parameter(clock_, "clock", "Clock that gives the messages' acquisition time");
  interface
      .parameter(duration_lower_ms_, "duration_lower_ms", "Least time that SRC and PROCESS rest in a tick",
                 "-1: they do not rest. The time is real, whatever the clock.")
      .default_value(-1)
      .minimum(-1)
      .unit("ms");
  interface
      .parameter(duration_upper_ms_, "duration_upper_ms", "Greatest time that they rest",
                 "-1: they do not rest.")
      .default_value(-1)
      .minimum(-1)
      .unit("ms");
  interface
      .parameter(include_mock_latency_, "include_mock_latency",
                 "Whether the rests count in the time that SINK logs",
                 "SINK logs, at level debug, how long each message was under way.")
      .default_value(false);
}

void MockCodelet::start() {
  if (*duration_lower_ms_ > *duration_upper_ms_) {
    throw Error(ErrorCode::InvalidParameter, "duration_lower_ms (" +
                                                 std::to_string(*duration_lower_ms_) +
                                                 ") is greater than duration_upper_ms (" +
                                                 std::to_string(*duration_upper_ms_) + ")");
  }
  if (*mode_ != "SRC" && !receiver_) {
    throw Error(ErrorCode::InvalidParameter, "mode " + *mode_ + " needs the parameter 'receiver'");
  }
  if (*mode_ != "SINK" && !transmitter_) {
    throw Error(ErrorCode::InvalidParameter,
                "mode " + *mode_ + " needs the parameter 'transmitter'");
  }
  random_.seed(component_id() + 1);  // the same times in every run
}

void MockCodelet::tick() {
  if (*mode_ == "SRC") {
    make();
  } else if (*mode_ == "SINK") {
    sink();
  } else {
    process();
  }
}

void MockCodelet::make() {
  const std::int64_t rested = rest();
  const std::int64_t now = clock_->timestamp();
  Message message = context().new_message();
  message.set_sequence(static_cast<std::uint64_t>(execution_count() - 1));
  message.set_source_time(now);
  auto& trace = message.add<MockTrace>("mock");
  trace.made_at = now - rested;
  trace.rested.store(rested);
  output_.publish(*this, transmitter_, std::move(message), now);
}

void MockCodelet::process() {
  Message message = receiver_.receive();
  const MockTrace& trace = trace_of(message);
  trace.rested.fetch_add(rest());
  output_.publish(*this, transmitter_, std::move(message), clock_->timestamp());
}

void MockCodelet::sink() {
  const Message message = receiver_.receive();
  const MockTrace& trace = trace_of(message);
  if (trace.arrived.exchange(true)) {
    throw Error(ErrorCode::InvalidData, "another SINK has had this message already");
  }
  const std::int64_t latency = clock_->timestamp() - trace.made_at;
  log_debug("the message was under way for " +
            std::to_string(*include_mock_latency_ ? latency : latency - trace.rested.load()) +
            " ns");
}

const MockTrace& MockCodelet::trace_of(const Message& message) {
  const auto* trace = message.find<MockTrace>();
  if (trace == nullptr) {
    throw Error(ErrorCode::InvalidData,
                "the message does not come from a MockCodelet, and a MockCodelet takes no others");
  }
  return *trace;
}

std::int64_t MockCodelet::rest() {
  if (*duration_lower_ms_ < 0 || *duration_upper_ms_ < 0) {
    return 0;
  }
  std::uniform_int_distribution<int> duration(*duration_lower_ms_, *duration_upper_ms_);
  const std::chrono::milliseconds time(duration(random_));
  std::this_thread::sleep_for(time);
  return std::chrono::nanoseconds(time).count();
}

void MockFailure::declare(Interface& interface) {
  interface.parameter(num_max_ticks_, "num_max_ticks", "Ticks that succeed before one fails")
      .minimum(0)
      .unit("ticks");
}

void MockFailure::tick() {
  if (ticks_ >= *num_max_ticks_) {
    throw Error("fails after " + std::to_string(ticks_) + (ticks_ == 1 ? " tick" : " ticks") +
                ", as its parameter 'num_max_ticks' says");
  }
  ++ticks_;
}

}  // namespace gxr::testing

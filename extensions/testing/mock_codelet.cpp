#include "mock_codelet.hpp"

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
      .parameter(duration_lower_ms_, "duration_lower_ms", "Least duration of a tick",
                 "-1: ticks take no time. The time is real, whatever the clock.")
      .default_value(-1)
      .minimum(-1)
      .unit("ms");
  interface
      .parameter(duration_upper_ms_, "duration_upper_ms", "Greatest duration of a tick",
                 "-1: ticks take no time.")
      .default_value(-1)
      .minimum(-1)
      .unit("ms");
  interface
      .parameter(include_mock_latency_, "include_mock_latency",
                 "Whether a message waits for the duration before it is published",
                 "Otherwise it is published at once, and the codelet stays busy afterwards.")
      .default_value(false);
}

void MockCodelet::start() {
  if (*duration_lower_ms_ > *duration_upper_ms_) {
    throw Error(ErrorCode::InvalidParameter, "duration_lower_ms (" +
                                                 std::to_string(*duration_lower_ms_) +
                                                 ") is greater than duration_upper_ms (" +
                                                 std::to_string(*duration_upper_ms_) + ")");
  }
  if (*mode_ != "SRC" && !receiver_.has_value()) {
    throw Error(ErrorCode::InvalidParameter, "mode " + *mode_ + " needs the parameter 'receiver'");
  }
  if (*mode_ != "SINK" && !transmitter_.has_value()) {
    throw Error(ErrorCode::InvalidParameter,
                "mode " + *mode_ + " needs the parameter 'transmitter'");
  }
  random_.seed(component_id() + 1);  // the same times in every run
}

void MockCodelet::tick() {
  if (*mode_ == "SRC") {
    source();
  } else if (*mode_ == "SINK") {
    sink();
  } else {
    process();
  }
}

void MockCodelet::source() {
  const std::int64_t now = clock_->timestamp();
  Message message = context().new_message();
  message.set_sequence(static_cast<std::uint64_t>(execution_count() - 1));
  message.set_source_time(now);
  message.add<Timestamp>("timestamp").acqtime = now;
  publish(std::move(message));
}

void MockCodelet::sink() {
  receiver_->receive();
  take_time();
}

void MockCodelet::process() { publish(receiver_->receive()); }

void MockCodelet::publish(Message message) {
  if (*include_mock_latency_) {
    take_time();
  }
  transmitter_->publish(std::move(message));
  if (!*include_mock_latency_) {
    take_time();
  }
}

void MockCodelet::take_time() {
  if (*duration_lower_ms_ < 0 || *duration_upper_ms_ < 0) {
    return;
  }
  std::uniform_int_distribution<std::int64_t> duration(std::int64_t{*duration_lower_ms_} * 1000,
                                                       std::int64_t{*duration_upper_ms_} * 1000);
  std::this_thread::sleep_for(std::chrono::microseconds(duration(random_)));
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

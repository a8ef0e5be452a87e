#include "async_ping.hpp"

#include <chrono>
#include <string>
#include <thread>
#include <utility>

namespace gxr::sample {
namespace {

void rest(std::int64_t microseconds) {
  std::this_thread::sleep_for(std::chrono::microseconds(microseconds));
}

}  // namespace

void PingTxAsync::declare(Interface& interface) {
  interface.output(signal_, "signal", "One new message per tick, with a running number");
  interface
      .parameter(sleep_time_us_, "sleep_time_us", "Rest after each tick",
                 "Real time, whatever the clock.")
      .default_value(10)
      .minimum(0)
      .unit("us");
}

void PingTxAsync::tick() {
  Message message = context().new_message();
  message.set_sequence(static_cast<std::uint64_t>(execution_count() - 1));
  message.add<std::int32_t>("counter", number_);
  ++number_;
  signal_->publish(std::move(message));
  rest(*sleep_time_us_);
}

void PingRxAsync::declare(Interface& interface) {
  interface.input(signal_, "signal", "Messages to take, one per tick when there is one");
  interface
      .parameter(sleep_time_us_, "sleep_time_us", "Rest after each tick",
                 "Real time, whatever the clock.")
      .default_value(1000)
      .minimum(0)
      .unit("us");
  interface
      .parameter(verification_range_min_, "verification_range_min",
                 "Least difference of two numbers that follow each other")
      .default_value(0);
  interface
      .parameter(verification_range_max_, "verification_range_max",
                 "Greatest difference of two numbers that follow each other")
      .default_value(500);
}

void PingRxAsync::start() { has_last_ = false; }

void PingRxAsync::tick() {
  if (const Message message = signal_->pop()) {
    const std::int32_t number = message.get<std::int32_t>("counter");
    check(number);
    last_ = number;
    has_last_ = true;
  }
  rest(*sleep_time_us_);
}

void PingRxAsync::check(std::int32_t number) const {
  const std::int64_t jump = std::int64_t{number} - last_;
  if (has_last_ && (jump < *verification_range_min_ || jump > *verification_range_max_)) {
    throw Error(ErrorCode::OutOfRange, "number " + std::to_string(number) + " follows " +
                                           std::to_string(last_) +
                                           "; the difference must lie between " +
                                           std::to_string(*verification_range_min_) + " and " +
                                           std::to_string(*verification_range_max_));
  }
}

}  // namespace gxr::sample

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
      .parameter(sleep_time_us_, "sleep_time_us", "Rest at the beginning of each tick",
                 "Real time, whatever the clock.")
      .default_value(10)
      .minimum(0)
      .unit("us");
}

void PingTxAsync::tick() {
  rest(*sleep_time_us_);
  Message message = context().new_message();
  message.set_sequence(static_cast<std::uint64_t>(execution_count() - 1));
  message.add<std::int32_t>("count", ++number_);
  output_.publish(*this, signal_, std::move(message));
}

void PingRxAsync::declare(Interface& interface) {
  interface.input(signal_, "signal", "Messages to take, one per tick when there is one");
  interface
      .parameter(sleep_time_us_, "sleep_time_us", "Rest at the beginning of each tick",
                 "Real time, whatever the clock.")
      .default_value(1000)
      .minimum(0)
      .unit("us");
  interface
      .parameter(verification_range_min_, "verification_range_min",
                 "Least number that is right",
                 "Each new number must lie in the range, and must not be smaller than the one "
                 "before. One that is wrong is an error; with --compat gxf it is a warning.")
      .default_value(0);
  interface
      .parameter(verification_range_max_, "verification_range_max",
                 "Greatest number that is right", "See verification_range_min.")
      .default_value(500);
}

void PingRxAsync::tick() {
  rest(*sleep_time_us_);
  const Message message = signal_->pop();
  if (message.size() == 0) {
    return;
  }
  const std::int32_t number = message.get<std::int32_t>("count");
  if (number == last_) {
    return;  // a mailbox gives its newest message again and again
  }
  check(number);
  last_ = number;
}

void PingRxAsync::check(std::int32_t number) const {
  std::string problem;
  if (number < last_) {
    problem = "number " + std::to_string(number) + " follows " + std::to_string(last_);
  } else if (number < *verification_range_min_ || number > *verification_range_max_) {
    problem = "number " + std::to_string(number) + " does not lie between " +
              std::to_string(*verification_range_min_) + " and " +
              std::to_string(*verification_range_max_);
  } else {
    return;
  }
  if (!context().compat_gxf()) {
    throw Error(ErrorCode::OutOfRange, problem);
  }
  log_warning(problem);
}

}  // namespace gxr::sample

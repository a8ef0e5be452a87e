#include "ping_rx.hpp"

#include <string>

namespace gxr::testing {

void PingPollRx::declare(Interface& interface) {
  interface.input(signal_, "signal", "Messages to take, one per tick when there is one");
  interface
      .parameter(expected_counter_, "expected_counter", "Messages that must have come at the end")
      .unit("messages");
}

void PingPollRx::tick() {
  if (signal_->pop()) {
    ++received_;
  }
}

void PingPollRx::stop() {
  if (received_ != *expected_counter_) {
    throw Error("got " + std::to_string(received_) + (received_ == 1 ? " message" : " messages") +
                ", expected_counter is " + std::to_string(*expected_counter_));
  }
}

void PingBatchRx::declare(Interface& interface) {
  interface.input(signal_, "signal", "Messages to take");
  interface.parameter(batch_size_, "batch_size", "Messages to take in one tick")
      .minimum(0)
      .unit("messages");
  interface
      .parameter(assert_full_batch_, "assert_full_batch", "Whether fewer messages are an error")
      .default_value(true);
}

void PingBatchRx::tick() {
  std::int64_t taken = 0;
  while (taken < *batch_size_ && signal_->pop()) {
    ++taken;
  }
  if (*assert_full_batch_ && taken < *batch_size_) {
    throw Error(ErrorCode::NotAvailable, "only " + std::to_string(taken) + " of " +
                                             std::to_string(*batch_size_) + " messages were on '" +
                                             signal_->full_name() + "'");
  }
}

}  // namespace gxr::testing

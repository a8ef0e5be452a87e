#include "ping_batch_rx.hpp"

#include <string>

namespace gxr::sample {

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
  const std::int64_t taken = take_batch();
  if (*assert_full_batch_ && taken < *batch_size_) {
    throw Error(ErrorCode::NotAvailable,
                "only " + std::to_string(taken) + " of " + std::to_string(*batch_size_) +
                    " messages were on '" + signal_->full_name() +
                    "'; set min_size of its MessageAvailableSchedulingTerm to batch_size");
  }
}

std::int64_t PingBatchRx::take_batch() {
  std::int64_t taken = 0;
  while (taken < *batch_size_ && signal_->pop()) {
    ++taken;
  }
  return taken;
}

}  // namespace gxr::sample

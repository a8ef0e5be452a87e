#include "ping_tx.hpp"

#include <utility>

namespace gxr::sample {

void PingTx::declare(Interface& interface) {
  interface.output(signal_, "signal", "One new message per tick");
  interface
      .parameter(clock_, "clock", "Clock that gives the messages' acquisition time",
                 "Left out: the acquisition time is 0.")
      .optional();
  interface
      .parameter(trigger_interrupt_after_ms_, "trigger_interrupt_after_ms",
                 "Time after which the application is asked to stop",
                 "Counted from start, in the scheduler's time. Left out: never.")
      .optional()
      .minimum(0)
      .unit("ms");
}

void PingTx::start() {
  time_source_ = clock_.has_value() ? clock_.get().get() : nullptr;
  started_at_ = execution_timestamp();
}

void PingTx::tick() {
  const std::int64_t now = time_source_ != nullptr ? time_source_->timestamp() : 0;
  Message message = context().new_message();
  message.set_sequence(static_cast<std::uint64_t>(execution_count() - 1));
  message.set_source_time(now);
  publish(std::move(message), now);
  interrupt_when_due();
}

/// GXF's PingTx does not look whether its message was taken.
void PingTx::publish(Message message, std::int64_t acqtime) {
  try {
    signal_->publish(std::move(message), acqtime);
  } catch (const Error& error) {
    if (!context().compat_gxf() || error.code() != ErrorCode::Overflow) {
      throw;
    }
    log_warning("the message is lost: " + error.message());
  }
}

void PingTx::interrupt_when_due() {
  const auto& limit = trigger_interrupt_after_ms_.try_get();
  if (limit && (execution_timestamp() - started_at_) / 1'000'000 >= *limit) {
    context().interrupt();
  }
}

}  // namespace gxr::sample

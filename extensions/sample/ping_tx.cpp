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
                 "Real time from the start of the entity, whatever the clock, and whether the entity "
                 "still ticks or not. Left out: never.")
      .optional()
      .minimum(0)
      .unit("ms");
}

void PingTx::start() {
  time_source_ = clock_.has_value() ? clock_.get().get() : nullptr;
  if (const auto& after = trigger_interrupt_after_ms_.try_get()) {
    timer_.start(context(), *after);
  }
}

void PingTx::tick() {
  const std::int64_t now = time_source_ != nullptr ? time_source_->timestamp() : 0;
  Message message = context().new_message();
  message.set_sequence(static_cast<std::uint64_t>(execution_count() - 1));
  message.set_source_time(now);
  output_.publish(*this, signal_, std::move(message), now);
}

}  // namespace gxr::sample

#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"
#include "gxr/unchecked_output.hpp"
#include "interrupt_timer.hpp"

namespace gxr::sample {

/// Publishes one message per tick that holds nothing but a Timestamp.
class PingTx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;
  void stop() override { output_.finish(*this); }
  void deinitialize() override { timer_.cancel(); }

 private:
  Output<> signal_;
  Parameter<Handle<Clock>> clock_;
  Parameter<std::int64_t> trigger_interrupt_after_ms_;
  Clock* time_source_ = nullptr;  // of clock_, or null
  UncheckedOutput output_;
  InterruptTimer timer_;
};

}  // namespace gxr::sample

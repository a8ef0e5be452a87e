#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr::sample {

/// Publishes one message per tick that holds nothing but a Timestamp.
class PingTx final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void start() override;
  void tick() override;

 private:
  void publish(Message message, std::int64_t acqtime);
  void interrupt_when_due();

  Parameter<Handle<Transmitter>> signal_;
  Parameter<Handle<Clock>> clock_;
  Parameter<std::int64_t> trigger_interrupt_after_ms_;
  Clock* time_source_ = nullptr;  // of clock_, or null
  std::int64_t started_at_ = 0;
};

}  // namespace gxr::sample

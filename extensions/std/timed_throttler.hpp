#pragma once

#include <cstdint>

#include "gxr/gxr.hpp"

namespace gxr {

/// Passes each message on at the time that its Timestamp names, read on another clock.
class TimedThrottler final : public Codelet {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;
  void stop() override;

 private:
  Parameter<Handle<Transmitter>> transmitter_;
  Parameter<Handle<Receiver>> receiver_;
  Parameter<Handle<Clock>> execution_clock_;
  Parameter<Handle<Clock>> throttling_clock_;
  Parameter<Handle<TargetTimeSchedulingTerm>> scheduling_term_;
  std::int64_t offset_ = 0;  // time of the execution clock - time of the throttling clock
  Message next_;             // waits for its time
};

}  // namespace gxr

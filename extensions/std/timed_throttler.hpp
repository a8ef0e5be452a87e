#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <vector>

#include "gxr/gxr.hpp"

namespace gxr {

/// Passes each message on at the time that its Timestamp names, read on another clock. While it
/// holds none, the next message on its receiver wakes it; one whose time has passed leaves at once.
class TimedThrottler final : public Codelet, public MessageAccount {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void tick() override;
  void stop() override;
  [[nodiscard]] std::vector<Discard> discards() const override;

 private:
  void take_next();

  Output<> transmitter_;
  Input<> receiver_;
  Parameter<Handle<Clock>> execution_clock_;
  Parameter<Handle<Clock>> throttling_clock_;
  Parameter<Handle<TargetTimeSchedulingTerm>> scheduling_term_;
  std::int64_t offset_ = 0;  // time of the execution clock - time of the throttling clock
  bool is_woken_ = false;    // by messages
  std::int64_t last_target_ = std::numeric_limits<std::int64_t>::min();
  Message next_;               // waits for its time
  std::uint64_t stopped_ = 0;  // messages whose time had not come
};

}  // namespace gxr

#pragma once

#include <string>

#include "gxr/cuda/packet_ring.hpp"
#include "gxr/gxr.hpp"

namespace gxr::cuda {

/// READY when a ring has a frame, or room for one; NEVER when its writer has ended and no frame is
/// left. The other end wakes it if it is a thread of this process; else it polls.
class RingSchedulingTerm final : public SchedulingTerm, private RingWaiter {
 public:
  void declare(Interface& interface) override;
  void deinitialize() override;
  Condition check(std::int64_t now) override;
  void events(TermEvents& events) override;
  [[nodiscard]] std::string explain() const override;

 private:
  void ring_changed() override { context().notify(*this); }
  [[nodiscard]] RingEnd end() const {
    return *waits_for_ == "frame" ? RingEnd::Reader : RingEnd::Writer;
  }
  [[nodiscard]] ConditionType look() const;

  Parameter<Handle<PacketRing>> ring_;
  Parameter<std::string> waits_for_;
  Parameter<Duration> poll_interval_;
};

}  // namespace gxr::cuda

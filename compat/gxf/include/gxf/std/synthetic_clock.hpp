#pragma once

#include "gxf/std/clock.hpp"

namespace nvidia {
namespace gxf {

/// A clock that others set.
class GXR_GXF_API SyntheticClock : public Clock {
 public:
  using Clock::Clock;
  ~SyntheticClock() override;
  Expected<void> advanceTo(std::int64_t time_ns);
  Expected<void> advanceBy(std::int64_t delta_ns);
};

}  // namespace gxf
}  // namespace nvidia

#pragma once

#include <cstdint>

#include "gxf/core/component.hpp"

namespace gxr {

class Clock;

}  // namespace gxr

namespace nvidia {
namespace gxf {

/// A clock of the graph. Clocks are gxr's; sources cannot derive from this.
class GXR_GXF_API Clock : public Component {
 public:
  /// For the text of the error when a source derives from it all the same.
  using OnlyOfGxr = void;

  explicit Clock(gxr::Clock& clock) noexcept : clock_(clock) {}
  ~Clock() override;

  /// Now, in seconds.
  double time() const;
  /// Now, in nanoseconds.
  std::int64_t timestamp() const;
  Expected<void> sleepFor(std::int64_t duration_ns);
  Expected<void> sleepUntil(std::int64_t target_ns);

 protected:
  gxr::Clock& clock() const noexcept { return clock_; }

 private:
  gxr::Clock& clock_;
};

class GXR_GXF_API RealtimeClock : public Clock {
 public:
  using Clock::Clock;
  ~RealtimeClock() override;
  Expected<void> setTimeScale(double time_scale);
};

class GXR_GXF_API ManualClock : public Clock {
 public:
  using Clock::Clock;
  ~ManualClock() override;
};

}  // namespace gxf
}  // namespace nvidia

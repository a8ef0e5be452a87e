#include "gxr/clock.hpp"

#include "gxf/std/synthetic_clock.hpp"
#include "native.hpp"

namespace nvidia::gxf {

Clock::~Clock() = default;
RealtimeClock::~RealtimeClock() = default;
ManualClock::~ManualClock() = default;
SyntheticClock::~SyntheticClock() = default;

double Clock::time() const { return clock_.time(); }
std::int64_t Clock::timestamp() const { return clock_.timestamp(); }

Expected<void> Clock::sleepFor(std::int64_t duration_ns) {
  return ExpectedOrCode(layer::guarded([&] {
    clock_.sleep_for(duration_ns);
    return GXF_SUCCESS;
  }));
}

Expected<void> Clock::sleepUntil(std::int64_t target_ns) {
  return ExpectedOrCode(layer::guarded([&] {
    clock_.sleep_until(target_ns);
    return GXF_SUCCESS;
  }));
}

Expected<void> RealtimeClock::setTimeScale(double time_scale) {
  return ExpectedOrCode(layer::guarded([&] {
    static_cast<gxr::RealtimeClock&>(clock()).set_time_scale(time_scale);
    return GXF_SUCCESS;
  }));
}

Expected<void> SyntheticClock::advanceTo(std::int64_t time_ns) {
  static_cast<gxr::SyntheticClock&>(clock()).advance_to(time_ns);
  return Success;
}

Expected<void> SyntheticClock::advanceBy(std::int64_t delta_ns) {
  static_cast<gxr::SyntheticClock&>(clock()).advance_by(delta_ns);
  return Success;
}

}  // namespace nvidia::gxf

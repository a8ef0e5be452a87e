#pragma once

#include <cstdint>

#include "system/nanoseconds.hpp"

namespace gxr {

/// Real time for a clock that does not run by itself, while something outside the executor goes on:
/// skipping to the end of the run would cut that off, and standing still would never end.
class StandingClock {
 public:
  /// Real ns until the clock, which shows `now` (ns), has stood there for `limit` ns, counted from
  /// the first call with that `now`. Less than 0: it has stood longer.
  std::int64_t left(std::int64_t now, std::int64_t limit) noexcept {
    const std::int64_t real = steady_now();
    if (!stands_ || shown_ != now) {
      stands_ = true;
      shown_ = now;
      since_ = real;
    }
    return limit == kForever ? kForever : limit - (real - since_);
  }

 private:
  bool stands_ = false;
  std::int64_t shown_ = 0;  // by the clock
  std::int64_t since_ = 0;  // steady
};

}  // namespace gxr

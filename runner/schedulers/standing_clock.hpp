#pragma once

#include <cstdint>

#include "runtime/nanoseconds.hpp"

namespace gxr {

/// Real time for a clock that does not run by itself, while something outside the executor goes on:
/// skipping to the end of the run would cut that off, and standing still would never end.
class StandingClock {
 public:
  /// Real ns until the clock, which shows `now` (ns), has stood there for as long as it has to go
  /// to `end`. 0 or less: it has.
  std::int64_t left(std::int64_t now, std::int64_t end) noexcept {
    if (!stands_ || shown_ != now) {
      stands_ = true;
      shown_ = now;
      since_ = steady_now();
    }
    return end == kForever ? kForever : end - now - (steady_now() - since_);
  }

 private:
  bool stands_ = false;
  std::int64_t shown_ = 0;  // by the clock
  std::int64_t since_ = 0;  // steady
};

}  // namespace gxr

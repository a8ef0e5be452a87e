#pragma once

#include <cstdint>

#include "system/nanoseconds.hpp"

namespace gxr {

/// Longest uninterrupted wait, real ns; keeps deadlines far from the end of the steady clock.
inline constexpr std::int64_t kLongestClockWait = std::int64_t{3'600'000'000'000};

/// Real ns for which a sleep that began at `begin` (steady) may go on while sleeps are cut.
inline std::int64_t cut_sleep_left(std::int64_t begin) noexcept {
  constexpr std::int64_t kLongestCutSleep = 10'000'000;
  return begin + kLongestCutSleep - steady_now();
}

}  // namespace gxr

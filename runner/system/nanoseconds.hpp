#pragma once

#include <chrono>
#include <cstdint>
#include <limits>

namespace gxr {

/// Later than any time.
inline constexpr std::int64_t kForever = std::numeric_limits<std::int64_t>::max();

/// Sum that stays at the end of the range instead of leaving it.
inline std::int64_t saturated_sum(std::int64_t a, std::int64_t b) noexcept {
  std::int64_t sum = 0;
  if (__builtin_add_overflow(a, b, &sum)) {
    return b > 0 ? kForever : std::numeric_limits<std::int64_t>::min();
  }
  return sum;
}

/// Milliseconds as ns, saturated.
inline std::int64_t ms_to_ns(double ms) noexcept {
  constexpr double kNsPerMs = 1e6;
  const double ns = ms * kNsPerMs;
  return ns >= 9.2e18 ? kForever : static_cast<std::int64_t>(ns);
}

/// The machine's steady clock, ns.
inline std::int64_t steady_now() noexcept {
  return std::chrono::nanoseconds(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace gxr

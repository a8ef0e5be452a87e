#pragma once

#include <cstdint>
#include <limits>

namespace gxr::testing {

/// A time and a duration, or two times, in ns, added up; the greatest number instead of more.
inline std::int64_t saturated_sum(std::int64_t time, std::int64_t duration) noexcept {
  std::int64_t sum = 0;
  return __builtin_add_overflow(time, duration, &sum) ? std::numeric_limits<std::int64_t>::max()
                                                      : sum;
}

}  // namespace gxr::testing

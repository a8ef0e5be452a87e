#pragma once

// Figures of many waits, the same for the loop by hand and for the application.

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace bridge {

/// Nanoseconds of a clock that never jumps.
inline std::int64_t now_ns() {
  return std::chrono::duration_cast<std::chrono::nanoseconds>(
             std::chrono::steady_clock::now().time_since_epoch())
      .count();
}

/// What the first messages of a run do not count for.
constexpr std::int64_t kWarmUp = 64;

/// Sorts `ns` and gives the sample below which a share of `q` lies, in microseconds; 0 for none.
inline double quantile_us(std::vector<std::int64_t>& ns, double q) {
  if (ns.empty()) {
    return 0;
  }
  std::sort(ns.begin(), ns.end());
  const auto last = static_cast<double>(ns.size() - 1);
  return static_cast<double>(ns[static_cast<std::size_t>(std::floor(q * last + 0.5))]) * 1e-3;
}

/// One line of JSON: messages a second, and latencies from `ns`, which it sorts. Without braces.
inline std::string figures_json(std::int64_t messages, double seconds,
                                std::vector<std::int64_t>& ns) {
  char text[256];
  std::snprintf(text, sizeof text,
                "\"messages\": %lld, \"messages_per_s\": %.1f, \"p50_us\": %.3f, \"p99_us\": %.3f, "
                "\"p999_us\": %.3f",
                static_cast<long long>(messages),
                seconds > 0 ? static_cast<double>(messages) / seconds : 0.0, quantile_us(ns, 0.5),
                quantile_us(ns, 0.99), quantile_us(ns, 0.999));
  return text;
}

}  // namespace bridge

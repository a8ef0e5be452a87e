#pragma once

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

namespace ring_bench {

/// The sum of the words of all frames that fill() sends.
inline std::uint64_t wanted_sum(std::uint64_t frames, std::uint32_t words) {
  std::uint64_t sum = 0;
  for (std::uint64_t number = 0; number < frames; ++number) {
    const std::uint64_t count = words - 1;
    sum += count * number + count * (count + 1) / 2;
  }
  return sum;
}

/// {"frames": …, "median_ns": …, "p999_ns": …, "max_ns": …}, without the first thousand.
inline std::string figures_json(std::vector<std::uint32_t> ns) {
  constexpr std::size_t kWarmUp = 1000;
  ns.erase(ns.begin(), ns.begin() + static_cast<std::ptrdiff_t>(std::min(kWarmUp, ns.size() / 2)));
  std::sort(ns.begin(), ns.end());
  const auto at = [&](double share) {
    return std::to_string(ns[static_cast<std::size_t>(share * static_cast<double>(ns.size() - 1))]);
  };
  return R"({"frames": )" + std::to_string(ns.size()) + R"(, "median_ns": )" + at(0.5) +
         R"(, "p999_ns": )" + at(0.999) + R"(, "max_ns": )" + at(1) + "}";
}

}  // namespace ring_bench

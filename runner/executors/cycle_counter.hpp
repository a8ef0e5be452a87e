#pragma once

#include <cstdint>

#include "system/nanoseconds.hpp"

#if defined(__x86_64__)
#include <cpuid.h>
#include <x86intrin.h>
#endif

namespace gxr {

/// Measures times of some nanoseconds: reads the processor's counter where it runs at a constant
/// rate (a fifth of the cost of the steady clock), else the steady clock. What one count is worth
/// is known at the end, by comparison with the steady clock.
class CycleCounter {
 public:
  CycleCounter() noexcept : steady_begin_(steady_now()), begin_(now()) {}

  [[nodiscard]] std::uint64_t now() const noexcept {
#if defined(__x86_64__)
    if (constant_rate_) {
      return __rdtsc();
    }
#endif
    return static_cast<std::uint64_t>(steady_now());
  }
  /// The count at construction.
  [[nodiscard]] std::uint64_t begin() const noexcept { return begin_; }
  /// Steady nanoseconds since construction.
  [[nodiscard]] std::int64_t elapsed_ns() const noexcept { return steady_now() - steady_begin_; }
  /// Nanoseconds of one count, as it was on average since construction.
  [[nodiscard]] double ns_per_count() const noexcept {
    const std::uint64_t counts = now() - begin_;
    return counts == 0 ? 1.0 : static_cast<double>(elapsed_ns()) / static_cast<double>(counts);
  }

 private:
#if defined(__x86_64__)
  /// Does the counter neither change its rate nor stop while a core sleeps?
  static bool is_constant() noexcept {
    constexpr unsigned int kPowerLeaf = 0x80000007U;
    constexpr unsigned int kInvariant = 1U << 8U;
    unsigned int a = 0;
    unsigned int b = 0;
    unsigned int c = 0;
    unsigned int d = 0;
    return __get_cpuid(kPowerLeaf, &a, &b, &c, &d) != 0 && (d & kInvariant) != 0;
  }
  bool constant_rate_ = is_constant();
#endif
  std::int64_t steady_begin_;
  std::uint64_t begin_;
};

}  // namespace gxr

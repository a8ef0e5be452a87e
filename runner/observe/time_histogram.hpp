#pragma once

#include <algorithm>
#include <array>
#include <atomic>
#include <bit>
#include <cstddef>
#include <cstdint>

#include "gxr/run_status.hpp"

namespace gxr {

/// How often which times occurred, on a scale whose steps grow with the time: eight steps from one
/// power of two to the next. One thread adds at a time, any thread reads meanwhile. Allocates
/// nothing; 1.2 KB.
class TimeHistogram {
 public:
  /// `counts` of a CycleCounter.
  void add(std::uint64_t counts) noexcept {
    std::atomic<std::uint32_t>& step = steps_[step_of(counts)];
    const std::uint32_t before = step.load(std::memory_order_relaxed);
    if (before == kFull) [[unlikely]] {
      halve();
      add(counts);
      return;
    }
    step.store(before + 1, std::memory_order_relaxed);
    increase(count_, 1);
    increase(total_, counts);
    if (counts > longest_.load(std::memory_order_relaxed)) {
      longest_.store(counts, std::memory_order_relaxed);
    }
  }
  /// `ns_per_count`: what one count is worth.
  [[nodiscard]] TimeFacts facts(double ns_per_count) const noexcept;

 private:
  static constexpr unsigned int kBits = 3;        // of a step within its power of two
  static constexpr unsigned int kFirstPower = 5;  // below: one step
  static constexpr unsigned int kPastPower = 44;  // hours; above: the last step
  static constexpr std::size_t kSteps = ((kPastPower - kFirstPower) << kBits) + 1;
  static constexpr std::uint32_t kFull = static_cast<std::uint32_t>(-1);

  static std::size_t step_of(std::uint64_t counts) noexcept {
    if (counts < (std::uint64_t{1} << kFirstPower)) {
      return 0;
    }
    const auto power = static_cast<unsigned int>(std::bit_width(counts)) - 1;
    const std::uint64_t within = (counts >> (power - kBits)) & ((1U << kBits) - 1);
    return std::min<std::size_t>(1 + ((std::size_t{power} - kFirstPower) << kBits) + within,
                                 kSteps - 1);
  }
  static std::uint64_t end_of(std::size_t step) noexcept;
  static void increase(std::atomic<std::uint64_t>& sum, std::uint64_t by) noexcept {
    sum.store(sum.load(std::memory_order_relaxed) + by, std::memory_order_relaxed);
  }
  void halve() noexcept;

  std::array<std::atomic<std::uint32_t>, kSteps> steps_{};
  std::atomic<std::uint64_t> count_{0};
  std::atomic<std::uint64_t> total_{0};    // counts
  std::atomic<std::uint64_t> longest_{0};  // counts
};

}  // namespace gxr

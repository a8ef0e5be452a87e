#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

namespace gxr {

/// The distribution of non-negative numbers. Exact up to kExact samples, all of which are kept;
/// beyond that a histogram with logarithmic buckets, whose quantiles are at most 1/128 (0.8 %) too
/// high. Count, sum and maximum are always exact.
class Quantiles {
 public:
  static constexpr std::size_t kExact = 16384;

  void add(std::int64_t value);
  [[nodiscard]] std::uint64_t count() const noexcept { return count_; }
  [[nodiscard]] std::int64_t sum() const noexcept { return sum_; }
  /// 0 without samples.
  [[nodiscard]] std::int64_t maximum() const noexcept { return maximum_; }
  /// The least sample that at least `fraction` of all samples do not exceed; 0 without samples.
  [[nodiscard]] std::int64_t quantile(double fraction) const;

 private:
  void spill();

  std::uint64_t count_ = 0;
  std::int64_t sum_ = 0;
  std::int64_t maximum_ = 0;
  std::vector<std::int64_t> samples_;     // while they are few
  std::vector<std::uint64_t> histogram_;  // afterwards
};

}  // namespace gxr

#include "observe/time_histogram.hpp"

#include <iterator>
#include <utility>

namespace gxr {

/// The least time behind this step.
std::uint64_t TimeHistogram::end_of(std::size_t step) noexcept {
  const std::uint64_t within = (step & ((1U << kBits) - 1)) + (std::uint64_t{1} << kBits);
  return within << (kFirstPower + (step >> kBits) - kBits);
}

/// A step is full: the same proportions with half the numbers.
void TimeHistogram::halve() noexcept {
  for (std::atomic<std::uint32_t>& step : steps_) {
    step.store(step.load(std::memory_order_relaxed) / 2, std::memory_order_relaxed);
  }
}

TimeFacts TimeHistogram::facts(double ns_per_count) const noexcept {
  const auto ns = [ns_per_count](std::uint64_t counts) {
    return static_cast<std::int64_t>(static_cast<double>(counts) * ns_per_count);
  };
  TimeFacts facts;
  facts.count = count_.load(std::memory_order_relaxed);
  if (facts.count == 0) {
    return facts;
  }
  const std::uint64_t longest = longest_.load(std::memory_order_relaxed);
  facts.total_ns = ns(total_.load(std::memory_order_relaxed));
  facts.longest_ns = ns(longest);
  facts.p50_ns = facts.p90_ns = facts.p99_ns = facts.p999_ns = facts.longest_ns;

  // From the longest time down to the shortest one: most steps need not be read.
  std::array<std::uint32_t, kSteps> seen;
  std::uint64_t all = 0;
  const std::size_t last = step_of(longest);
  std::size_t first = last + 1;
  while (first > 0 && all < facts.count) {
    --first;
    all += seen[first] = steps_[first].load(std::memory_order_relaxed);
  }
  std::pair<std::uint64_t, std::int64_t*> wanted[] = {
      {500, &facts.p50_ns}, {900, &facts.p90_ns}, {990, &facts.p99_ns}, {999, &facts.p999_ns}};
  std::uint64_t passed = 0;
  std::size_t next = 0;
  for (std::size_t i = first; i <= last && i + 1 < kSteps; ++i) {
    passed += seen[i];
    for (; next < std::size(wanted) && passed >= (all * wanted[next].first + 999) / 1000; ++next) {
      *wanted[next].second = ns(std::min(end_of(i), longest));
    }
  }
  return facts;
}

}  // namespace gxr

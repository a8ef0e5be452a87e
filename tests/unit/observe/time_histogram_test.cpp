#include "observe/time_histogram.hpp"

#include <cstdint>
#include <thread>

#include "catch.hpp"

namespace gxr {
namespace {

/// As far above the true one as the steps are wide.
bool is_close(std::int64_t percentile, std::int64_t truth) {
  return percentile >= truth &&
         static_cast<double>(percentile) <= 1.13 * static_cast<double>(truth);
}

TEST_CASE("a histogram without times", "[histogram]") {
  const TimeFacts facts = TimeHistogram().facts(1.0);
  CHECK(facts.count == 0);
  CHECK(facts.p50_ns == 0);
  CHECK(facts.longest_ns == 0);
}

TEST_CASE("percentiles of evenly spread times", "[histogram]") {
  TimeHistogram histogram;
  for (std::uint64_t i = 1; i <= 100'000; ++i) {
    histogram.add(100 * i);
  }
  const TimeFacts facts = histogram.facts(1.0);
  CHECK(facts.count == 100'000);
  CHECK(facts.total_ns == 100LL * 100'000 * 100'001 / 2);
  CHECK(is_close(facts.p50_ns, 5'000'000));
  CHECK(is_close(facts.p90_ns, 9'000'000));
  CHECK(is_close(facts.p99_ns, 9'900'000));
  CHECK(is_close(facts.p999_ns, 9'990'000));
  CHECK(facts.longest_ns == 10'000'000);
}

TEST_CASE("one rare long time is the longest, and no percentile", "[histogram]") {
  TimeHistogram histogram;
  for (int i = 0; i < 9'999; ++i) {
    histogram.add(1000);
  }
  histogram.add(5'000'000);
  const TimeFacts facts = histogram.facts(1.0);
  CHECK(is_close(facts.p50_ns, 1000));
  CHECK(is_close(facts.p999_ns, 1000));
  CHECK(facts.longest_ns == 5'000'000);
}

TEST_CASE("counts have a worth", "[histogram]") {
  TimeHistogram histogram;
  histogram.add(3000);
  const TimeFacts facts = histogram.facts(1.0 / 3);
  CHECK(facts.p50_ns == 1000);
  CHECK(facts.longest_ns == 1000);
}

TEST_CASE("the ends of the scale", "[histogram]") {
  TimeHistogram histogram;
  histogram.add(0);
  CHECK(histogram.facts(1.0).p50_ns == 0);
  const std::uint64_t days = std::uint64_t{1} << 48U;
  for (int i = 0; i < 9; ++i) {
    histogram.add(days);
  }
  CHECK(histogram.facts(1.0).p50_ns == static_cast<std::int64_t>(days));
  CHECK(histogram.facts(1.0).longest_ns == static_cast<std::int64_t>(days));
}

TEST_CASE("times are read while they are added", "[histogram]") {
  TimeHistogram histogram;
  std::thread writer([&] {
    for (std::uint64_t i = 0; i < 200'000; ++i) {
      histogram.add(1000 + i % 1000);
    }
  });
  bool plausible = true;
  for (int i = 0; i < 1000; ++i) {
    const TimeFacts facts = histogram.facts(1.0);
    plausible = plausible && facts.p50_ns <= 2250 && facts.p999_ns >= facts.p50_ns;
  }
  writer.join();
  CHECK(plausible);
  CHECK(histogram.facts(1.0).count == 200'000);
}

}  // namespace
}  // namespace gxr

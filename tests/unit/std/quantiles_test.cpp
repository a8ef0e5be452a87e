#include "extensions/std/quantiles.hpp"

#include <cstdint>

#include "catch.hpp"

using gxr::Quantiles;

TEST_CASE("no samples have no quantiles") {
  const Quantiles none;
  CHECK(none.count() == 0);
  CHECK(none.quantile(0.5) == 0);
  CHECK(none.maximum() == 0);
}

TEST_CASE("few samples give exact quantiles in any order") {
  Quantiles values;
  for (const std::int64_t value : {50, 10, 40, 20, 30}) {
    values.add(value);
  }
  CHECK(values.quantile(0.5) == 30);
  CHECK(values.quantile(0.9) == 50);
  CHECK(values.quantile(0.2) == 10);
  CHECK(values.maximum() == 50);
  CHECK(values.sum() == 150);
}

TEST_CASE("negative samples count as none") {
  Quantiles values;
  values.add(-5);
  CHECK(values.quantile(1.0) == 0);
  CHECK(values.count() == 1);
}

TEST_CASE("many samples give quantiles that are at most 1/128 too high") {
  Quantiles values;
  constexpr std::int64_t kCount = 100'000;
  for (std::int64_t i = 1; i <= kCount; ++i) {
    values.add(i * 1000);
  }
  for (const double fraction : {0.001, 0.1, 0.5, 0.9, 0.99}) {
    const auto exact = static_cast<double>(kCount) * 1000 * fraction;
    const auto found = static_cast<double>(values.quantile(fraction));
    INFO(fraction);
    CHECK(found >= exact);
    CHECK(found <= exact * (1.0 + 1.0 / 128) + 1);
  }
  CHECK(values.maximum() == kCount * 1000);
  CHECK(values.quantile(1.0) == kCount * 1000);
  CHECK(values.count() == kCount);
}

#include "executors/standing_clock.hpp"

#include "catch.hpp"

namespace gxr {

constexpr std::int64_t kHour = 3'600'000'000'000;

TEST_CASE("Real time counts while the clock shows the same", "[standing]") {
  StandingClock clock;
  CHECK(clock.left(5, kHour) == kHour);
  const std::int64_t before = steady_now();
  while (steady_now() == before) {
  }
  const std::int64_t less = clock.left(5, kHour);
  CHECK(less < kHour);
  CHECK(clock.left(5, 0) < 0);
  CHECK(clock.left(5, kForever) == kForever);
  CHECK(clock.left(6, kHour) == kHour);  // it has moved
  CHECK(clock.left(5, kHour) == kHour);
}

}  // namespace gxr

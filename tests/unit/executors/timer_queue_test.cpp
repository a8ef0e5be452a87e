#include "executors/timer_queue.hpp"

#include <algorithm>
#include <random>
#include <vector>

#include "catch.hpp"

namespace gxr {
namespace {

constexpr std::uint32_t kNobody = 99;

TEST_CASE("jobs come due by time, then by number") {
  TimerQueue timers(4);
  timers.set(2, 10);
  timers.set(0, 20);
  timers.set(1, 10);
  CHECK(timers.earliest() == 10);
  CHECK(timers.pop_due(9, kNobody) == kNobody);
  CHECK(timers.pop_due(20, kNobody) == 1);
  CHECK(timers.pop_due(20, kNobody) == 2);
  CHECK(timers.pop_due(20, kNobody) == 0);
  CHECK(timers.pop_due(20, kNobody) == kNobody);
  CHECK(timers.earliest() == TimerQueue::kNever);
}

TEST_CASE("a job has one time: the last that was set") {
  TimerQueue timers(2);
  timers.set(0, 10);
  timers.set(0, 30);
  CHECK(timers.earliest() == 30);
  timers.set(0, 5);
  CHECK(timers.earliest() == 5);
  CHECK(timers.pop_due(100, kNobody) == 0);
  CHECK(timers.pop_due(100, kNobody) == kNobody);
}

TEST_CASE("a cancelled job does not come due, and can be set again") {
  TimerQueue timers(2);
  timers.set(0, 10);
  timers.set(1, 11);
  timers.cancel(0);
  CHECK(timers.earliest() == 11);
  timers.set(0, 10);
  CHECK(timers.pop_due(10, kNobody) == 0);
  CHECK(timers.pop_due(10, kNobody) == kNobody);
}

TEST_CASE("only times that count are kept, however often they are replaced or cancelled") {
  TimerQueue timers(3);
  timers.set(2, 1'000'000);
  for (std::int64_t i = 0; i < 10'000; ++i) {
    timers.set(0, 500'000 + i % 7);
    timers.set(1, 400'000 - i);
    timers.cancel(1);
  }
  CHECK(timers.size() == 2);
  CHECK(timers.earliest() == 500'000 + 9'999 % 7);
  timers.cancel(0);
  timers.cancel(0);
  CHECK(timers.earliest() == 1'000'000);
  timers.set(2, TimerQueue::kNever);
  CHECK(timers.size() == 0);
  CHECK(timers.earliest() == TimerQueue::kNever);
}

TEST_CASE("timers come due as in a sorted list, whatever was set and cancelled before") {
  constexpr std::uint32_t kJobs = 40;
  std::mt19937 random(7);
  TimerQueue timers(kJobs);
  std::vector<std::int64_t> targets(kJobs, TimerQueue::kNever);
  std::int64_t now = 0;
  for (int step = 0; step < 20'000; ++step) {
    const auto job = static_cast<std::uint32_t>(random() % kJobs);
    switch (random() % 4) {
      case 0:
        timers.cancel(job);
        targets[job] = TimerQueue::kNever;
        break;
      case 1:
        now += random() % 5;
        for (;;) {
          const auto first = std::min_element(targets.begin(), targets.end());
          const bool due = *first <= now;
          const std::uint32_t expected =
              due ? static_cast<std::uint32_t>(first - targets.begin()) : kNobody;
          REQUIRE(timers.pop_due(now, kNobody) == expected);
          if (!due) {
            break;
          }
          *first = TimerQueue::kNever;
        }
        break;
      default:
        targets[job] = now + static_cast<std::int64_t>(random() % 20);
        timers.set(job, targets[job]);
        break;
    }
    REQUIRE(timers.earliest() == *std::min_element(targets.begin(), targets.end()));
  }
}

}  // namespace
}  // namespace gxr

#include "schedulers/timer_queue.hpp"

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

}  // namespace
}  // namespace gxr

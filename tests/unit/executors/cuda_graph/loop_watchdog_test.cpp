#include "executors/cuda_graph/loop_watchdog.hpp"

#include "catch.hpp"

namespace {

using namespace gxr;
using namespace std::chrono_literals;

/// A watchdog of 100 ms, at a time that only this sets.
struct WatchedLoop {
  LoopWatchdog watchdog{100ms};
  LoopWatchdog::Progress progress;
  bool busy = true;
  bool waits_for_others = false;
  int asked = 0;

  bool trips_at(std::chrono::milliseconds time) {
    return watchdog.poll(progress, busy, LoopWatchdog::Clock::time_point(1h) + time, [this] {
      ++asked;
      return waits_for_others;
    });
  }
};

}  // namespace

TEST_CASE("A busy loop that stands trips the watchdog", "[loop_watchdog]") {
  WatchedLoop loop;
  CHECK_FALSE(loop.trips_at(0ms));
  CHECK_FALSE(loop.trips_at(50ms));
  CHECK_FALSE(loop.trips_at(99ms));
  CHECK(loop.trips_at(100ms));
}

TEST_CASE("Progress, or a heartbeat, begins anew", "[loop_watchdog]") {
  for (const bool by_heartbeat : {false, true}) {
    WatchedLoop loop;
    CHECK_FALSE(loop.trips_at(0ms));
    (by_heartbeat ? loop.progress.heartbeat : loop.progress.finished) = 1;
    CHECK_FALSE(loop.trips_at(99ms));
    CHECK_FALSE(loop.trips_at(198ms));
    CHECK(loop.trips_at(199ms));
  }
}

TEST_CASE("A loop without work stands for any time", "[loop_watchdog]") {
  WatchedLoop loop;
  loop.busy = false;
  CHECK_FALSE(loop.trips_at(0ms));
  CHECK_FALSE(loop.trips_at(10s));
  loop.busy = true;
  CHECK_FALSE(loop.trips_at(20s));
  loop.busy = false;
  CHECK_FALSE(loop.trips_at(21s));
  loop.busy = true;
  CHECK_FALSE(loop.trips_at(30s));  // its time begins now
  CHECK(loop.trips_at(31s));
}

TEST_CASE("A loop waits for others for any time, who are asked about one that stands",
          "[loop_watchdog]") {
  WatchedLoop loop;
  loop.waits_for_others = true;
  CHECK_FALSE(loop.trips_at(0ms));
  CHECK_FALSE(loop.trips_at(4ms));
  CHECK(loop.asked == 0);
  CHECK_FALSE(loop.trips_at(200ms));
  CHECK_FALSE(loop.trips_at(10s));
  CHECK(loop.asked == 2);
  loop.waits_for_others = false;
  CHECK_FALSE(loop.trips_at(10s + 90ms));
  CHECK(loop.trips_at(10s + 100ms));
}

TEST_CASE("Another launch has its own time, and without a time nothing trips", "[loop_watchdog]") {
  WatchedLoop loop;
  CHECK_FALSE(loop.trips_at(0ms));
  loop.watchdog.restart();
  CHECK_FALSE(loop.trips_at(100ms));
  CHECK(loop.trips_at(200ms));
  WatchedLoop unwatched;
  unwatched.watchdog = LoopWatchdog(0ms);
  CHECK_FALSE(unwatched.trips_at(0ms));
  CHECK_FALSE(unwatched.trips_at(1h));
  CHECK(unwatched.asked == 0);
}

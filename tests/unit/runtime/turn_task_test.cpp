#include "runtime/turn_task.hpp"

#include <chrono>
#include <optional>
#include <stdexcept>
#include <thread>

#include "catch.hpp"
#include "runtime/instance.hpp"

namespace gxr {

using std::chrono::milliseconds;

TEST_CASE("Work is done in a turn, once, and who waits knows") {
  int times = 0;
  TurnTask task([&](Turn&) { ++times; });
  std::thread ticking([&] {
    LiveEntity entity;
    Turn turn{entity, {}};
    task.run(turn);
    task.run(turn);
  });
  CHECK(task.wait(std::nullopt));
  ticking.join();
  CHECK(times == 1);
  task.cancel();
  CHECK(task.wait(milliseconds(0)));
}

TEST_CASE("Work that nobody waits for any more is not done") {
  LiveEntity entity;
  Turn turn{entity, {}};
  TurnTask late([](Turn&) { FAIL("the work was done"); });
  CHECK_FALSE(late.wait(milliseconds(1)));
  late.run(turn);
  TurnTask cancelled([](Turn&) { FAIL("the work was done"); });
  cancelled.cancel();
  CHECK_FALSE(cancelled.wait(std::nullopt));
  cancelled.run(turn);
}

TEST_CASE("What work throws goes to who waits for it") {
  LiveEntity entity;
  Turn turn{entity, {}};
  TurnTask task([](Turn&) { throw std::runtime_error("not now"); });
  task.run(turn);
  CHECK_THROWS_WITH(task.wait(std::nullopt), "not now");
}

}  // namespace gxr

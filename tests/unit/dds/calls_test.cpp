// Calls of others that can be ended, as the listeners of a directory are.

#include "dds/cyclone/calls.hpp"

#include <atomic>
#include <future>
#include <stdexcept>
#include <thread>
#include <vector>

#include "tests/unit/catch.hpp"

namespace {

using gxr::dds::Calls;

TEST_CASE("a call is made from begin() to end()") {
  Calls<int> calls;
  int made = 0;
  CHECK_FALSE(calls.call(1, [&] { ++made; }));
  calls.begin(1);
  calls.begin(2);
  CHECK(calls.keys() == std::vector{1, 2});
  CHECK(calls.call(1, [&] { ++made; }));
  calls.end(1);
  CHECK_FALSE(calls.call(1, [&] { ++made; }));
  CHECK(calls.call(2, [&] { ++made; }));
  CHECK(made == 2);
  CHECK(calls.keys() == std::vector{2});
}

TEST_CASE("end() waits for a call that runs on another thread") {
  Calls<int> calls;
  calls.begin(1);
  std::promise<void> runs;
  std::promise<void> may_return;
  std::atomic<bool> returned = false;
  std::thread caller([&] {
    calls.call(1, [&] {
      runs.set_value();
      may_return.get_future().wait();
      returned = true;
    });
  });
  runs.get_future().wait();
  calls.begin(2);
  calls.end(2);  // does not wait for the other one
  CHECK_FALSE(returned);
  std::thread ender([&] {
    calls.end(1);
    CHECK(returned);
  });
  while (!calls.keys().empty()) {  // end() has begun: no new call is made
    std::this_thread::yield();
  }
  CHECK_FALSE(calls.call(1, [] {}));
  may_return.set_value();
  ender.join();
  caller.join();
}

TEST_CASE("a call may end itself, and call others") {
  Calls<int> calls;
  calls.begin(1);
  calls.begin(2);
  bool inner = false;
  CHECK(calls.call(1, [&] {
    calls.end(1);
    CHECK(calls.call(2, [&] { inner = true; }));
  }));
  CHECK(inner);
  CHECK_FALSE(calls.call(1, [] {}));
}

TEST_CASE("a call that throws is over") {
  Calls<int> calls;
  calls.begin(1);
  CHECK_THROWS_AS(calls.call(1, [] { throw std::runtime_error("no"); }), std::runtime_error);
  std::thread([&] { calls.end(1); }).join();  // waits for nobody
  CHECK_FALSE(calls.call(1, [] {}));
}

TEST_CASE("no call runs behind end(), whoever calls") {
  constexpr int kRounds = 200;
  for (int round = 0; round < kRounds; ++round) {
    Calls<int> calls;
    calls.begin(1);
    std::atomic<bool> ended = false;
    std::atomic<bool> late = false;
    std::vector<std::thread> callers;
    for (int i = 0; i < 2; ++i) {
      callers.emplace_back([&] {
        while (calls.call(1, [&] { late = late || ended; })) {
        }
      });
    }
    calls.end(1);
    ended = true;
    for (std::thread& each : callers) {
      each.join();
    }
    CHECK_FALSE(late);
  }
}

}  // namespace

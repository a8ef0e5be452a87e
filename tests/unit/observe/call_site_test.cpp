#include "observe/call_site.hpp"

#include <algorithm>
#include <atomic>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"

namespace gxr {
namespace {

bool is_running(const std::string& text) {
  const std::vector<RunningCall> calls = running_calls();
  return std::ranges::any_of(calls, [&](const RunningCall& call) { return call.text == text; });
}

TEST_CASE("calls of all threads are seen, the innermost of each") {
  std::atomic<int> step{0};
  const auto wait_for = [&](int wanted) {
    while (step.load() < wanted) {
      std::this_thread::yield();
    }
  };
  std::thread other([&] {
    const CallSite tick{"tick", "a", "b", "T"};
    const CallScope outer(tick);
    step = 1;
    wait_for(2);
    {
      const CallSite check{"check", "a", "term", "U"};
      const CallScope inner(check);
      step = 3;
      wait_for(4);
    }
    step = 5;
    wait_for(6);
  });
  wait_for(1);
  CHECK(is_running("tick of entity 'a', component 'b' (T)"));
  step = 2;
  wait_for(3);
  CHECK(is_running("check of entity 'a', component 'term' (U)"));
  CHECK_FALSE(is_running("tick of entity 'a', component 'b' (T)"));
  step = 4;
  wait_for(5);
  CHECK(is_running("tick of entity 'a', component 'b' (T)"));
  CHECK(current_call_site() == nullptr);
  step = 6;
  other.join();
  CHECK(running_calls().empty());
}

TEST_CASE("a call site is not read any more when its scope has ended") {
  std::atomic<bool> done{false};
  std::vector<std::thread> threads;
  for (int t = 0; t < 2; ++t) {
    threads.emplace_back([&, t] {
      for (int i = 0; !done; ++i) {
        // Texts that go with the scope.
        const std::string entity(40, static_cast<char>('a' + (t + i) % 26));
        const CallSite site{"tick", entity, {}, "T"};
        const CallScope scope(site);
      }
    });
  }
  const std::string frame = "tick of entity '' (T)";
  for (int i = 0; i < 20'000; ++i) {
    for (const RunningCall& call : running_calls()) {
      REQUIRE(call.text.size() == frame.size() + 40);
      const std::string entity = call.text.substr(16, 40);
      REQUIRE(entity == std::string(40, entity.front()));
    }
  }
  done = true;
  for (std::thread& thread : threads) {
    thread.join();
  }
}

}  // namespace
}  // namespace gxr

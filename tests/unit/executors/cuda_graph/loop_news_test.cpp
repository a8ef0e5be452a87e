// What the poller learns of a loop, without one.

#include "executors/cuda_graph/loop_news.hpp"

#include <atomic>
#include <chrono>
#include <thread>

#include "catch.hpp"
#include "gxr/scheduling_term.hpp"
#include "tests/unit/sdk/harness.hpp"

namespace {

using namespace gxr;
using namespace std::chrono_literals;

struct PolledLoop {
  harness::Harness harness;
  Component& component = harness.add<BooleanSchedulingTerm>("loop/term");
  std::atomic<std::uint64_t> finished{0};
  LoopNews news{component, [this] { return finished.load(); }};

  PolledLoop() { news.launched(false); }
};

}  // namespace

TEST_CASE("Each finished iteration is news once", "[loop_news]") {
  PolledLoop loop;
  CHECK_FALSE(loop.news.has_news());
  loop.finished = 1;
  CHECK(loop.news.has_news());
  CHECK_FALSE(loop.news.has_news());
  loop.finished = 3;
  CHECK(loop.news.has_news());
  CHECK_FALSE(loop.news.has_news());
}

TEST_CASE("What a tick has seen is no news", "[loop_news]") {
  PolledLoop loop;
  loop.finished = 1;
  loop.news.saw(1);
  CHECK_FALSE(loop.news.has_news());
  loop.finished = 2;
  CHECK(loop.news.has_news());
  loop.news.launched(false);
  loop.finished = 0;
  CHECK_FALSE(loop.news.has_news());
}

TEST_CASE("Iterations that concern nobody are no news", "[loop_news]") {
  PolledLoop loop;
  loop.news.concern_from(3);
  loop.finished = 2;
  CHECK_FALSE(loop.news.has_news());
  CHECK_FALSE(loop.news.expects_news());
  loop.finished = 3;
  CHECK(loop.news.expects_news());
  CHECK(loop.news.has_news());
}

// The poller asks for news first, and rests when it then expects none.
TEST_CASE("News are expected until they are told, also the last", "[loop_news]") {
  PolledLoop loop;
  CHECK_FALSE(loop.news.expects_news());
  loop.news.expect_until(2);
  CHECK(loop.news.expects_news());
  CHECK_FALSE(loop.news.has_news());
  loop.finished = 2;  // between the two questions
  CHECK(loop.news.expects_news());
  CHECK(loop.news.has_news());
  CHECK_FALSE(loop.news.expects_news());
}

TEST_CASE("A reminder comes while something is expected, and is taken once", "[loop_news]") {
  PolledLoop loop;
  loop.news.remind();
  CHECK_FALSE(loop.news.is_reminded());
  loop.news.expect_until(1);
  loop.news.remind();
  CHECK(loop.news.is_reminded());
  CHECK(loop.news.is_reminded());
  CHECK(loop.news.take_reminder());
  CHECK_FALSE(loop.news.take_reminder());
  CHECK_FALSE(loop.news.is_reminded());
}

TEST_CASE("Reminders of an idle loop come for a time limit, and if it works unasked",
          "[loop_news]") {
  PolledLoop loop;
  loop.news.set_deadline(true);
  loop.news.remind();
  CHECK(loop.news.take_reminder());
  loop.news.set_deadline(false);
  loop.news.remind();
  CHECK_FALSE(loop.news.take_reminder());
  loop.news.launched(true);
  loop.news.remind();
  CHECK(loop.news.take_reminder());
}

TEST_CASE("A reminder at a time comes once", "[loop_news]") {
  PolledLoop loop;
  const auto now = LoopNews::Clock::now();
  CHECK(loop.news.remind_at(now + 1h));
  CHECK_FALSE(loop.news.remind_at(now + 2h));
  loop.news.remind();
  CHECK_FALSE(loop.news.is_reminded());
  CHECK(loop.news.remind_at(now));
  CHECK(loop.news.reminds_at() == now);
  loop.news.remind();
  CHECK(loop.news.take_reminder());
  CHECK(loop.news.reminds_at() == LoopNews::Clock::time_point::max());
  loop.news.remind();
  CHECK_FALSE(loop.news.take_reminder());
}

// A thread counts, the poller tells, and this one acts: it may rest only when all was seen.
TEST_CASE("No iteration is overlooked between the poller and a tick", "[loop_news]") {
  constexpr std::uint64_t kIterations = 20'000;
  PolledLoop loop;
  std::atomic<std::uint64_t> told{0};
  std::atomic<bool> ends{false};
  loop.news.expect_until(kIterations);
  std::thread gpu([&] {
    for (std::uint64_t i = 0; i < kIterations; ++i) {
      loop.finished.fetch_add(1);
    }
  });
  std::thread poller([&] {
    while (!ends) {
      if (loop.news.has_news()) {
        told.fetch_add(1);
        told.notify_one();
      }
    }
  });
  std::uint64_t acted = 0;
  for (std::uint64_t heard = 0; acted < kIterations;) {
    told.wait(heard);
    heard = told.load();
    // A tick, and the question behind it.
    do {
      acted = loop.finished.load();
      loop.news.saw(acted);
    } while (loop.finished.load() > acted);
  }
  CHECK(acted == kIterations);
  ends = true;
  gpu.join();
  poller.join();
}

#include "gxr/application.hpp"

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <fstream>
#include <functional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <nlohmann/json.hpp>
#include <unistd.h>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

/// Pings through one connection; `scheduler` is the type of the scheduler.
std::string pings(const std::string& scheduler, int count) {
  return R"(
name: tx
components:
- {name: signal, type: 'nvidia::gxf::DoubleBufferTransmitter'}
- {type: 'nvidia::gxf::DownstreamReceptiveSchedulingTerm', parameters: {transmitter: signal}}
- {name: count, type: 'nvidia::gxf::CountSchedulingTerm', parameters: {count: )" +
         std::to_string(count) + R"(}}
- {type: 'nvidia::gxf::PingTx', parameters: {signal: signal}}
---
name: rx
components:
- {name: signal, type: 'nvidia::gxf::DoubleBufferReceiver'}
- {type: 'nvidia::gxf::MessageAvailableSchedulingTerm', parameters: {receiver: signal}}
- {type: 'nvidia::gxf::PingRx', parameters: {signal: signal}}
---
components:
- {type: 'nvidia::gxf::Connection', parameters: {source: tx/signal, target: rx/signal}}
---
name: sched
components:
- {name: clock, type: 'nvidia::gxf::RealtimeClock'}
- {type: )" +
         scheduler +
         R"(, parameters: {clock: clock}}
)";
}

std::uint64_t ticks(const Report& report) {
  std::uint64_t sum = 0;
  for (const EntityStatistics& entity : report.entities) {
    sum += entity.ticks;
  }
  return sum;
}

TEST_CASE("a program loads, changes and runs an application") {
  Application app;
  app.load_text(pings("nvidia::gxf::GreedyScheduler", 10)).set("tx/count/count=4");
  REQUIRE(app.validate());
  CHECK(app.problems().empty());
  const Report report = app.run();
  CHECK(report.reason == EndReason::Completed);
  CHECK(ticks(report) == 8);
  CHECK_THROWS_AS(app.run(), Error);
  CHECK_THROWS_AS(app.set("tx/count/count=5"), Error);
}

TEST_CASE("problems say where they are, and such an application does not run") {
  Application app;
  app.load_text("name: a\ncomponents:\n- type: nvidia::gxf::PingTxx\n", "memory");
  CHECK_FALSE(app.validate());
  const std::vector<Problem>& problems = app.problems();
  const auto* unknown = &problems.front();
  for (const Problem& problem : problems) {
    unknown = problem.code == "unknown-type" ? &problem : unknown;
  }
  CHECK(unknown->code == "unknown-type");
  CHECK(unknown->is_error);
  CHECK(unknown->file == "memory");
  CHECK(unknown->line == 3);
  CHECK(unknown->column == 9);
  CHECK(unknown->hint == "did you mean 'nvidia::gxf::PingTx'?");
  CHECK_THROWS_AS(app.run(), Error);
  Application missing;
  CHECK_FALSE(missing.load("no/such/file.yaml").validate());
  CHECK(missing.problems().front().code == "file-not-found");
}

TEST_CASE("what cannot be in a CUDA graph is a problem of the application") {
  Application app;
  app.load_text(pings("nvidia::gxf::GreedyScheduler", 10) + R"(---
components:
- {name: gpu, type: gxr::cuda::GraphExecutor, parameters: {entities: [rx]}}
)");
  CHECK_FALSE(app.validate());
  REQUIRE(app.problems().size() == 1);
  CHECK(app.problems().front().code == "not-capturable");
  CHECK_THROWS_AS(app.plan(), Error);
}

TEST_CASE("the executor can be chosen, and regions be asked for") {
  for (const std::string executor : {"greedy", "threads", "events"}) {
    Application app;
    app.load_text(pings("nvidia::gxf::GreedyScheduler", 100)).executor(executor);
    CHECK(app.plan().find(executor) != std::string::npos);
    const std::optional<RegionInfo> none = app.region("no such region");
    CHECK_FALSE(none.has_value());
    const Report report = app.run();
    CHECK(report.reason == EndReason::Completed);
    CHECK(ticks(report) == 200);
  }
}

TEST_CASE("a run on a thread of its own is interrupted from outside") {
  for (const std::string scheduler :
       {"nvidia::gxf::GreedyScheduler", "nvidia::gxf::EventBasedScheduler",
        "nvidia::gxf::MultiThreadScheduler"}) {
    Application app;
    app.load_text(pings(scheduler, 2'000'000'000));
    app.run_async();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    app.interrupt();
    const Report report = app.wait();
    CHECK(report.reason == EndReason::Interrupted);
    CHECK_FALSE(report.by_signal);
  }
}

TEST_CASE("an application that is destroyed while it runs is ended first") {
  Application app;
  app.load_text(pings("nvidia::gxf::EventBasedScheduler", 2'000'000'000));
  app.run_async();
}

/// Complete events of the category in a trace.
std::size_t traced(const std::string& file, const std::string& category) {
  std::ifstream stream(file);
  const nlohmann::json trace = nlohmann::json::parse(stream);
  return static_cast<std::size_t>(
      std::ranges::count_if(trace.at("traceEvents"), [&](const nlohmann::json& event) {
        return event.at("ph") == "X" && event.at("cat") == category;
      }));
}

TEST_CASE("a program has its run traced, on a thread of its own, too, and in epochs") {
  const std::string file = (std::filesystem::temp_directory_path() /
                            ("gxr_application_trace_" + std::to_string(::getpid()) + ".json"))
                               .string();
  for (const std::string scheduler :
       {"nvidia::gxf::GreedyScheduler", "nvidia::gxf::EventBasedScheduler",
        "nvidia::gxf::MultiThreadScheduler", "nvidia::gxf::EpochScheduler"}) {
    const bool epochs = scheduler == "nvidia::gxf::EpochScheduler";
    Application app;
    app.load_text(pings(scheduler, 5)).trace(file);
    while (epochs && app.run_epoch(1000)) {
    }
    if (!epochs) {
      app.run_async();
    }
    const Report report = epochs ? app.finish() : app.wait();
    CHECK(report.failures.empty());
    CHECK(ticks(report) == 10);
    CHECK(traced(file, "tick") == 10);
    CHECK(traced(file, "start") == 2);
    CHECK(traced(file, "stop") == 2);
    std::filesystem::remove(file);
  }
}

TEST_CASE("a trace that cannot be written is an error before the run, and a failure after it") {
  Application nowhere;
  nowhere.load_text(pings("nvidia::gxf::GreedyScheduler", 5)).trace("no/such/folder/t.json");
  CHECK_THROWS_WITH(nowhere.run(), Catch::Matchers::ContainsSubstring("No such file"));
  Application full;
  full.load_text(pings("nvidia::gxf::GreedyScheduler", 5)).trace("/dev/full");
  const Report report = full.run();
  CHECK(report.reason == EndReason::Failed);
  REQUIRE(report.failures.size() == 1);
  CHECK(describe(report.failures[0]) ==
        "trace (gxr): cannot write the trace '/dev/full': No space left on device");
  CHECK(ticks(report) == 10);
}

TEST_CASE("epochs run on the caller's thread until their budget is used") {
  Application app;
  app.load_text(pings("nvidia::gxf::EpochScheduler", 3));
  // The first cycle starts the entities, each further one passes a message.
  CHECK(app.run_epoch(0));
  CHECK(app.run_epoch(0));
  CHECK(app.run_epoch(1000));
  CHECK_FALSE(app.run_epoch(1000));
  const Report report = app.finish();
  // The receiving entity would wait for more.
  CHECK(report.reason == EndReason::Interrupted);
  CHECK(ticks(report) == 6);
}

TEST_CASE("epochs need an EpochScheduler, and what they run can be left early") {
  Application greedy;
  greedy.load_text(pings("nvidia::gxf::GreedyScheduler", 3));
  for (int i = 0; i < 2; ++i) {
    CHECK_THROWS_WITH(greedy.run_epoch(0), Catch::Matchers::ContainsSubstring("EpochScheduler"));
  }
  CHECK_THROWS_WITH(greedy.finish(), Catch::Matchers::ContainsSubstring("follows run_epoch()"));
  CHECK(ticks(greedy.run()) == 6);
  CHECK_THROWS_WITH(greedy.run_epoch(0), Catch::Matchers::ContainsSubstring("has run already"));
  Application app;
  app.load_text(pings("nvidia::gxf::EpochScheduler", 1'000'000));
  CHECK(app.run_epoch(0));
  CHECK(app.finish().reason == EndReason::Interrupted);
}

TEST_CASE("an application can be moved; what it was moved from refuses every call") {
  Application first;
  first.load_text(pings("nvidia::gxf::EpochScheduler", 3));
  Application second = std::move(first);
  // What is tested is the moved-from object.
  // NOLINTBEGIN(bugprone-use-after-move)
  const std::vector<std::function<void()>> calls = {
      [&] { first.load("a.yaml"); },
      [&] { first.load_text(""); },
      [&] { first.manifest("a.yaml"); },
      [&] { first.extension("a.so"); },
      [&] { first.set("a/b=1"); },
      [&] { first.parameter_file("a.yaml"); },
      [&] { first.executor("greedy"); },
      [&] { first.compat_gxf(); },
      [&] { first.measure(); },
      [&] { first.validate(); },
      [&] { first.problems(); },
      [&] { first.problems_text(); },
      [&] { first.plan(); },
      [&] { first.region("a"); },
      [&] { first.run(); },
      [&] { first.run_async(); },
      [&] { first.wait(); },
      [&] { first.interrupt(); },
      [&] { first.run_epoch(0); },
      [&] { first.finish(); },
  };
  // NOLINTEND(bugprone-use-after-move)
  for (const auto& call : calls) {
    try {
      call();
      FAIL("accepted");
    } catch (const Error& error) {
      CHECK(error.code() == ErrorCode::InvalidState);
    }
  }
  CHECK(second.run_epoch(1000));
  CHECK(ticks(second.finish()) == 6);
  first = std::move(second);
  CHECK_THROWS_AS(second.validate(), Error);  // NOLINT(bugprone-use-after-move)
  CHECK(first.validate());
}

/// An entity with `terms` on an EpochScheduler whose clock stands.
std::string alone(const std::string& codelet, const std::string& terms) {
  return "name: alone\ncomponents:\n- name: codelet\n  type: " + codelet + "\n" + terms + R"(
---
name: sched
components:
- {name: clock, type: 'nvidia::gxf::ManualClock'}
- {type: 'nvidia::gxf::EpochScheduler', parameters: {clock: clock}}
)";
}

TEST_CASE("an epoch without a budget runs each entity at most once") {
  for (const double budget_ms : {0.0, -5.0}) {
    Application app;
    app.load_text(alone("nvidia::gxf::HelloWorld", ""));
    CHECK(app.run_epoch(budget_ms));  // only starts it
    CHECK(app.run_epoch(budget_ms));
    CHECK(app.run_epoch(budget_ms));
    const Report report = app.finish();
    CHECK(report.reason == EndReason::Interrupted);
    CHECK(ticks(report) == 2);
  }
}

TEST_CASE("an entity that has finished leaves the epochs") {
  Application app;
  app.load_text(alone("nvidia::gxf::HelloWorld",
                      "- {type: 'nvidia::gxf::CountSchedulingTerm', parameters: {count: 2}}"));
  CHECK(app.run_epoch(1000));
  CHECK_FALSE(app.run_epoch(1000));
  CHECK_FALSE(app.run_epoch(0));
  const Report report = app.finish();
  CHECK(report.reason == EndReason::Completed);
  CHECK(ticks(report) == 2);
}

TEST_CASE("an epoch does not wait for a time") {
  Application app;
  app.load_text(
      alone("nvidia::gxf::HelloWorld",
            "- {type: 'nvidia::gxf::PeriodicSchedulingTerm', parameters: {recess_period: 1h}}"));
  CHECK(app.run_epoch(1000));
  CHECK_FALSE(app.run_epoch(1000));
  CHECK(ticks(app.finish()) == 1);
}

TEST_CASE("the budget of an epoch counts on the clock") {
  Application app;
  app.load_text(R"(
name: alone
components:
- {type: 'nvidia::gxf::HelloWorld'}
---
name: sched
components:
- {name: clock, type: 'nvidia::gxf::RealtimeClock', parameters: {initial_time_scale: 1e9}}
- {type: 'nvidia::gxf::EpochScheduler', parameters: {clock: clock}}
)");
  // Real time would take eleven days.
  CHECK(app.run_epoch(1e9));
  CHECK(app.finish().reason == EndReason::Interrupted);
}

TEST_CASE("without a GPU there is no memory of graphs to give back") {
  CHECK_NOTHROW(Application::trim_graph_memory());
}

TEST_CASE("a failure ends the epoch and stops nobody") {
  Application app;
  app.load_text(alone("nvidia::gxf::test::MockFailure", "  parameters: {num_max_ticks: 0}\n") +
                R"(---
name: other
components:
- {type: 'nvidia::gxf::HelloWorld'}
)");
  CHECK(app.run_epoch(0));
  CHECK_THROWS_WITH(app.run_epoch(0), Catch::Matchers::ContainsSubstring("alone"));
  CHECK(app.run_epoch(0));
  const Report report = app.finish();
  CHECK(report.entities.back().ticks > 0);
}

}  // namespace
}  // namespace gxr

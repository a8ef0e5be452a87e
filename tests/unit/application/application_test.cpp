#include "gxr/application.hpp"

#include <chrono>
#include <string>
#include <thread>

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
  CHECK_THROWS_AS(greedy.run_epoch(0), Error);
  Application app;
  app.load_text(pings("nvidia::gxf::EpochScheduler", 1'000'000));
  CHECK(app.run_epoch(0));
  CHECK(app.finish().reason == EndReason::Interrupted);
}

}  // namespace
}  // namespace gxr

// How graphs and loops of the fake device end: when they are told to, when the device fails, when a
// kernel hangs.

#include <chrono>
#include <memory>
#include <string>
#include <thread>

#include "catch.hpp"
#include "gxr/application.hpp"
#include "gxr/resident_graph.hpp"
#include "made_application.hpp"
#include "operators.hpp"

namespace gxr::test {
namespace {

using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

const char* const kBoth[] = {"mode: graph", "mode: resident"};
const char* const kTwoSchedulers[] = {"gxr::GreedyScheduler", "gxr::EventBasedScheduler"};

std::string fed(const std::string& type, std::uint64_t count, const std::string& options,
                const std::string& scheduler = "gxr::GreedyScheduler") {
  MadeApplication made;
  made.feed("feed", count)
      .graph_operator("add", "Add", {{"in", "feed"}})
      .graph_operator("odd", type, {{"in", "add"}})
      .keep("keep", "odd");
  return made.text(options, scheduler);
}

/// Numbers are in order from 2 on.
void require_right(const Switches& switches) {
  std::int64_t next = 2;
  for (const std::int64_t number : switches.kept()) {
    REQUIRE(number == next++);
  }
}

/// So many numbers have come out.
void await_kept(const Switches& switches, std::size_t count) {
  const auto end = std::chrono::steady_clock::now() + 20s;
  while (switches.kept().size() < count && std::chrono::steady_clock::now() < end) {
    std::this_thread::sleep_for(100us);
  }
  REQUIRE(switches.kept().size() >= count);
}

std::string failures_of(const Report& report) {
  std::string text;
  for (const Failure& failure : report.failures) {
    text += failure.text + "\n";
  }
  return text;
}

}  // namespace

TEST_CASE("An interrupted run ends without a failure, its results in their order") {
  for (const char* scheduler : kTwoSchedulers) {
    for (const std::string mode : kBoth) {
      INFO(scheduler << ", " << mode);
      const auto switches = std::make_shared<Switches>();
      Application app;
      load(app, fed("Add", 1'000'000'000, mode, scheduler), switches);
      app.run_async();
      await_kept(*switches, 100);
      app.interrupt();
      const Report report = app.wait();
      CHECK(report.reason == EndReason::Interrupted);
      CHECK(report.failures.empty());
      std::int64_t next = 3;
      for (const std::int64_t number : switches->kept()) {
        REQUIRE(number == next++);
      }
      REQUIRE(report.graphs.size() == 1);
      CHECK(report.graphs.front().iterations >= switches->kept().size());
    }
  }
}

TEST_CASE("A device that fails ends the run with an error") {
  for (const char* scheduler : kTwoSchedulers) {
    for (const std::string mode : kBoth) {
      INFO(scheduler << ", " << mode);
      const auto switches = std::make_shared<Switches>();
      switches->fails_at = 50;
      Application app;
      load(app, fed("Fault", 1'000'000'000, mode, scheduler), switches);
      const Report report = app.run();
      CHECK(report.reason == EndReason::Failed);
      CHECK_THAT(failures_of(report), ContainsSubstring("the fake device has failed"));
      require_right(*switches);
      CHECK(switches->kept().size() < 49);
    }
  }
}

TEST_CASE("A VideoBuffer that arrives at a graph ends the run, which says what to do") {
  for (const std::string mode : kBoth) {
    std::string text = fed("Add", 3, mode);
    const std::string pool = "pool: memory/pool";
    text.replace(text.find(pool), pool.size(), pool + ", as_video: true");
    Application app;
    load(app, text, std::make_shared<Switches>());
    const Report report = app.run();
    CHECK(report.reason == EndReason::Failed);
    CHECK_THAT(failures_of(report),
               ContainsSubstring("'add/in' received a VideoBuffer, and a CUDA graph takes tensors: "
                                 "set 'out_part' of the operator that sends it to tensor"));
  }
}

TEST_CASE("A kernel that hangs trips the watchdog, and is given up", "[hangs]") {
  for (const char* scheduler : kTwoSchedulers) {
    for (const std::string mode : kBoth) {
      INFO(scheduler << ", " << mode);
      const auto switches = std::make_shared<Switches>();
      switches->hangs_at = 50;
      {
        Application app;
        load(app, fed("Hang", 1'000'000'000, mode + ", watchdog_ms: 100", scheduler), switches);
        const Report report = app.run();
        CHECK(report.reason == EndReason::Failed);
        CHECK_THAT(failures_of(report), ContainsSubstring("region 'loop' hangs: no iteration has "
                                                          "ended for 100 ms ('watchdog_ms')"));
        require_right(*switches);
        CHECK(switches->kept().size() < 49);
      }
      switches->hangs->open();
      fake::settle();
    }
  }
}

TEST_CASE("A program tears a loop down and launches it again") {
  MadeApplication made;
  made.graph_operator("count", "Count", {}).graph_operator("add", "Add", {{"in", "count"}});
  made.keep("keep", "add");
  const auto switches = std::make_shared<Switches>();
  Application app;
  load(app, made.text("mode: resident, host_driven: true"), switches);
  app.run_async();
  ResidentGraph loop = app.resident_graph("loop");
  REQUIRE(loop.wait_until_launched(10s));
  for (int round = 0; round < 5; ++round) {
    for (int i = 0; i < 10; ++i) {
      loop.data_ready();
    }
    loop.tear_down();
    CHECK(loop.results() == 10);
    CHECK_FALSE(loop.is_launched());
    loop.launch();
    CHECK(loop.is_launched());
  }
  await_kept(*switches, 50);
  app.interrupt();
  CHECK(app.wait().failures.empty());
  CHECK(switches->kept().size() == 50);
}

TEST_CASE("A program rings without a pause, and no iteration is lost") {
  for (const char* scheduler :
       {"gxr::GreedyScheduler", "gxr::MultiThreadScheduler", "gxr::EventBasedScheduler"}) {
    INFO(scheduler);
    MadeApplication made;
    made.graph_operator("count", "Count", {}).graph_operator("add", "Add", {{"in", "count"}});
    made.keep("keep", "add");
    const auto switches = std::make_shared<Switches>();
    Application app;
    load(app, made.text("mode: resident, host_driven: true", scheduler), switches);
    app.run_async();
    ResidentGraph loop = app.resident_graph("loop");
    REQUIRE(loop.wait_until_launched(10s));
    constexpr std::size_t kRings = 5000;
    for (std::size_t i = 0; i < kRings; ++i) {
      loop.data_ready();
    }
    await_kept(*switches, kRings);
    CHECK(loop.results() == kRings);
    require_right(*switches);
    app.interrupt();
    const Report report = app.wait();
    CHECK(report.reason == EndReason::Interrupted);
    CHECK(failures_of(report).empty());
  }
}

TEST_CASE("A loop runs for its timeout") {
  MadeApplication made;
  made.graph_operator("count", "Count", {}).graph_operator("add", "Add", {{"in", "count"}});
  made.keep("keep", "add");
  const auto switches = std::make_shared<Switches>();
  Application app;
  load(app, made.text("mode: resident, timeout_ms: 50"), switches);
  const Report report = app.run();
  CHECK(report.reason == EndReason::Completed);
  CHECK(report.failures.empty());
  require_right(*switches);
  CHECK_FALSE(switches->kept().empty());
}

}  // namespace gxr::test

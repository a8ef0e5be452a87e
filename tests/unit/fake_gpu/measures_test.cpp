// The status of graphs and loops in a running application: iterations, and times of operators.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "catch.hpp"
#include "gxr/application.hpp"
#include "gxr/gxr.hpp"
#include "gxr/report.hpp"
#include "pushed.hpp"

namespace gxr::test {

namespace {

constexpr const char* kMeasuredGraph = "mode: graph, instrument_every: 2";
constexpr const char* kMeasuredLoop = "mode: resident, instrument_every: 2";

std::vector<GraphStatus> graphs_of(Application& app) {
  const std::optional<RunStatus> status = app.status(std::chrono::seconds(10));
  REQUIRE(status);
  return status->graphs;
}

}  // namespace

TEST_CASE("A running application tells what its graphs have measured", "[measures]") {
  const char* const mode = GENERATE(kMeasuredGraph, kMeasuredLoop);
  CAPTURE(mode);
  const bool loops = std::string(mode).find("resident") != std::string::npos;
  Pushed pushed(mode);
  for (std::int64_t number = 0; number < 10; ++number) {
    CHECK(pushed.pass(number) == (number + 10) * 2);
  }
  const std::vector<GraphStatus> graphs = graphs_of(pushed.app);
  REQUIRE(graphs.size() == 1);
  const GraphStatus& graph = graphs.front();
  CHECK(graph.region == "loop");
  CHECK(graph.loops == loops);
  CHECK(graph.iterations == (loops ? std::optional<std::uint64_t>(10) : std::nullopt));
  // Five were measured, of which the last might not have ended.
  CHECK(graph.measured == 4);
  REQUIRE(graph.operators.size() == 2);
  CHECK(graph.operators[0].entity == "add");
  CHECK(graph.operators[1].entity == "scale");
  std::int64_t sum = 0;
  for (const OperatorStatistics& each : graph.operators) {
    CHECK(each.runs == 4);
    CHECK(each.total_ns > 0);
    CHECK(each.longest_ns <= each.total_ns);
    sum += each.total_ns;
  }
  CHECK(graph.measured_ns >= sum);
  CHECK(pushed.end().measured == 5);
}

TEST_CASE("At most 64 iterations are told", "[measures]") {
  const char* const mode = GENERATE(kMeasuredGraph, kMeasuredLoop);
  CAPTURE(mode);
  Pushed pushed(mode);
  for (std::int64_t number = 0; number < 140; ++number) {
    static_cast<void>(pushed.pass(number));
  }
  CHECK(graphs_of(pushed.app).front().measured == 64);
  pushed.end();
}

TEST_CASE("Graphs that measure nothing tell their iterations, if they loop", "[measures]") {
  Pushed pushed("mode: resident");
  static_cast<void>(pushed.pass(1));
  const std::vector<GraphStatus> graphs = graphs_of(pushed.app);
  REQUIRE(graphs.size() == 1);
  CHECK(graphs.front().iterations == 1);
  CHECK(graphs.front().measured == 0);
  CHECK(graphs.front().operators.empty());
  pushed.end();
}

TEST_CASE("Graphs may be asked while they change", "[measures]") {
  const char* const mode = GENERATE(kMeasuredGraph, kMeasuredLoop);
  const char* const scheduler = GENERATE("gxr::GreedyScheduler", "gxr::EventBasedScheduler");
  CAPTURE(mode, scheduler);
  Pushed pushed(mode, "Scale", "factor: 2", {}, "value: 10", scheduler);
  std::atomic<bool> ends{false};
  std::uint64_t seen = 0;
  std::thread asks([&] {
    while (!ends) {
      if (const auto status = pushed.app.status(std::chrono::seconds(10)); status) {
        seen += static_cast<std::uint64_t>(std::ranges::count_if(
            status->graphs, [](const GraphStatus& graph) { return graph.measured > 0; }));
      }
    }
  });
  for (std::int64_t number = 0; number < 200; ++number) {
    if (number % 10 == 0) {
      pushed.app.set("add/it/value=" + std::to_string(number));
      pushed.app.set("scale/it/factor=" + std::to_string(number));
    }
    static_cast<void>(pushed.pass(number));
  }
  pushed.end();
  ends = true;
  asks.join();
  CHECK(seen > 0);
}

}  // namespace gxr::test

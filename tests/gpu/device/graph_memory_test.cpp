// Applications with an operator that allocates memory in its part of a CUDA graph.

#include <cstdint>
#include <string>

#include "application_run.hpp"
#include "catch.hpp"
#include "device/device_engine.hpp"
#include "gxr/application.hpp"
#include "gxr/error.hpp"

namespace {

using namespace gxr;
using Catch::Matchers::ContainsSubstring;
using gxr::test::graph_of;
using gxr::test::run_async;

constexpr std::int64_t kElements = 1 << 20;
constexpr std::uint64_t kBytes = kElements * 4;

/// Ends when `make/value` + 5 + `own/value` is 20, after how many iterations ever.
void load(Application& app) {
  app.load_text(R"(
name: make
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: constant, type: gpu::Constant, parameters: {out: out, value: 1, size: )" +
                std::to_string(kElements) + R"(}}
---
name: own
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
- {name: own, type: gpu::OwnMemory, parameters: {in: in, out: out, value: 5, frees: false}}
---
name: until
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: until, type: gpu::Until, parameters: {in: in, last: 20}}
---
components:
- {type: gxr::Connection, parameters: {source: make/out, target: own/in}}
- {type: gxr::Connection, parameters: {source: own/out, target: until/in}}
---
name: graph
components:
- {name: graph, type: gxr::cuda::GraphExecutor, parameters: {mode: graph, entities: [make, own]}}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)")
      .extension(std::string(GXR_TEST_EXTENSION_DIR) + "/gpu.so");
}

}  // namespace

TEST_CASE("Memory that an operator's nodes take is told, and given back", "[graph_memory]") {
  DeviceEngine& runtime = DeviceEngine::get();
  Application::trim_graph_memory();
  const std::uint64_t before = runtime.memory().graph_memory(0).reserved_bytes;
  {
    Application app;
    load(app);
    app.set("make/value=15");
    run_async(app);
    const Report report = app.wait();
    CHECK(graph_of(report).iterations >= 1);
    REQUIRE(report.graph_memory.size() == 1);
    CHECK(report.graph_memory.front().reserved_bytes >= before + kBytes);
  }
  CHECK(runtime.memory().graph_memory(0).reserved_bytes >= before + kBytes);
  Application::trim_graph_memory();
  CHECK(runtime.memory().graph_memory(0).reserved_bytes == before);
}

TEST_CASE("Other operators' values come into a graph with memory", "[graph_memory]") {
  Application app;
  load(app);
  run_async(app);
  app.set("make/value=15");
  const GraphStatistics graph = graph_of(app.wait());
  CHECK(graph.node_updates == 1);
  CHECK(graph.instantiations == 0);
}

TEST_CASE("Another operator that captures more has the graph with memory made anew",
          "[graph_memory]") {
  Application app;
  load(app);
  run_async(app);
  app.set_all({"make/kernels=3", "make/value=15"});
  const GraphStatistics graph = graph_of(app.wait());
  CHECK(graph.graph_updates == 0);
  CHECK(graph.instantiations == 1);
}

TEST_CASE("An operator with memory gets new values by another instantiation", "[graph_memory]") {
  Application app;
  load(app);
  run_async(app);
  app.set("own/value=19");
  const GraphStatistics graph = graph_of(app.wait());
  CHECK(graph.node_updates == 0);
  CHECK(graph.graph_updates == 0);
  CHECK(graph.instantiations == 1);
}

TEST_CASE("An operator with memory is not switched off", "[graph_memory]") {
  Application app;
  load(app);
  run_async(app);
  app.enable("own", false);
  const Report report = app.wait();
  REQUIRE(report.reason == EndReason::Failed);
  const Failure& failure = report.failures.front();
  CHECK(failure.code == ErrorCode::NotSupported);
  CHECK(failure.entity == "own");
  CHECK_THAT(failure.text, ContainsSubstring("cannot be switched off"));
}

TEST_CASE("An operator with memory that fails when others change ends the run, with its name",
          "[graph_memory]") {
  Application app;
  load(app);
  app.set("own/captures=2");
  run_async(app);
  app.set("make/kernels=3");
  const Report report = app.wait();
  REQUIRE(report.reason == EndReason::Failed);
  const Failure& failure = report.failures.front();
  CHECK(failure.entity == "own");
  CHECK(failure.method == "capture");
  CHECK(failure.text == "the table is broken");
}

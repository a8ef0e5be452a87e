// A program changes parameters of CUDA graphs while they run.

#include <chrono>
#include <string>
#include <thread>
#include <vector>

#include "application_run.hpp"
#include "catch.hpp"
#include "fed_application.hpp"
#include "gxr/application.hpp"
#include "gxr/error.hpp"

namespace {

using namespace gxr;
using Catch::Matchers::ContainsSubstring;
using gxr::test::graph_of;
using gxr::test::kFed;
using gxr::test::run_async;

const std::string kApplication = R"(
name: make
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: constant, type: gpu::Constant, parameters: {out: out, value: 1}}
---
name: add
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
- {name: add, type: gpu::Add, parameters: {in: in, out: out, pool: memory/pool, value: 5}}
---
name: until
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: until, type: gpu::Until, parameters: {in: in, last: 20, maker: make/constant}}
---
components:
- {type: gxr::Connection, parameters: {source: make/out, target: add/in}}
- {type: gxr::Connection, parameters: {source: add/out, target: until/in}}
---
name: graph
components:
- {name: graph, type: gxr::cuda::GraphExecutor, parameters: {entities: [make, add]}}
---
name: memory
components:
- {name: pool, type: gxr::UnboundedAllocator}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: SCHEDULER, parameters: {clock: clock}}
)";

void load(Application& app, const std::string& mode = "graph",
          const std::string& scheduler = "gxr::GreedyScheduler") {
  std::string text = kApplication;
  text.replace(text.find("SCHEDULER"), std::string("SCHEDULER").size(), scheduler);
  app.load_text(text)
      .extension(std::string(GXR_TEST_EXTENSION_DIR) + "/gpu.so")
      .set("graph/mode=" + mode);
}

/// Has these entities run in every `count`th iteration.
std::string every(int count, const std::string& body) {
  return "components:\n- {type: gxr::cuda::Every, parameters: {count: " + std::to_string(count) +
         ", body: [" + body + "]}}\n";
}

const Failure& failure_of(const Report& report) {
  REQUIRE(report.reason == EndReason::Failed);
  return report.failures.front();
}

}  // namespace

TEST_CASE("New values come into a graph between two launches", "[changes]") {
  for (const std::string scheduler : {"gxr::GreedyScheduler", "gxr::EventBasedScheduler"}) {
    INFO(scheduler);
    Application app;
    load(app, "graph", scheduler);
    run_async(app);
    app.set("make/value=15");
    const GraphStatistics graph = graph_of(app.wait());
    CHECK(graph.node_updates == 1);
    CHECK(graph.graph_updates == 0);
    CHECK(graph.instantiations == 0);
  }
}

TEST_CASE("New values come into a loop", "[changes]") {
  for (const std::string scheduler : {"gxr::GreedyScheduler", "gxr::EventBasedScheduler"}) {
    INFO(scheduler);
    Application app;
    load(app, "resident", scheduler);
    run_async(app);
    app.set("make/value=15");
    CHECK(graph_of(app.wait()).instantiations == 1);
  }
}

TEST_CASE("Values of several operators come into a loop together", "[changes]") {
  constexpr int kSum = 6;  // of the values in the file, and of all pairs but the last
  Application app;
  load(app, "resident");
  app.set("until/before=" + std::to_string(kSum));
  run_async(app);
  for (int i = 0; i < 300; ++i) {
    const int value = i % 60;
    app.set_all(
        {"make/value=" + std::to_string(value), "add/value=" + std::to_string(kSum - value)});
  }
  app.set_all({"make/value=17", "add/value=3"});
  CHECK(graph_of(app.wait()).instantiations >= 1);
}

// What kernels read from memory is exchanged between two iterations, of both operators at once.
TEST_CASE("Values that kernels read from memory change without new nodes", "[changes]") {
  constexpr int kSum = 6;
  constexpr int kChanges = 100'000;
  for (const std::string mode : {"graph", "resident"}) {
    for (const std::string unroll : {"1", "4"}) {
      CAPTURE(mode, unroll);
      Application app;
      load(app, mode);
      app.set("until/before=" + std::to_string(kSum))
          .set("make/in_memory=true")
          .set("add/in_memory=true");
      if (mode == "resident") {
        app.set("graph/unroll=" + unroll);
      }
      run_async(app);
      for (int i = 0; i < kChanges; ++i) {
        const int value = i % 60;
        app.set_all(
            {"make/value=" + std::to_string(value), "add/value=" + std::to_string(kSum - value)});
      }
      app.set_all({"make/value=17", "add/value=3"});
      const GraphStatistics graph = graph_of(app.wait());
      CHECK(graph.parameter_sets > 10);  // what is set again before it is seen does not count
      CHECK(graph.node_updates + graph.graph_updates + graph.instantiations == 0);
    }
  }
}

// A set comes to all operators of a sibling together, before its turn.
TEST_CASE("Values of operators beside a loop change together", "[changes]") {
  std::string text = kApplication;
  const auto replace = [&](const std::string& what, const std::string& with) {
    text.replace(text.find(what), what.size(), with);
  };
  replace("source: add/out, target: until/in}}",
          "source: add/out, target: pass/in, delayed: true}}\n"
          "- {type: gxr::Connection, parameters: {source: pass/out, target: until/in}}");
  replace("[make, add]", "[make, add, pass]");
  replace("SCHEDULER", "gxr::GreedyScheduler");
  text +=
      "---\nname: pass\ncomponents:\n- {name: in, type: gxr::DoubleBufferReceiver}\n"
      "- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}\n"
      "- {name: out, type: gxr::DoubleBufferTransmitter}\n"
      "- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}\n"
      "- {name: add, type: gpu::Add, parameters: {in: in, out: out, pool: memory/pool, value: 0}}\n"
      "---\ncomponents:\n- {type: gxr::cuda::Every, parameters: {count: 2, body: [make, add], "
      "launch: sibling}}\n";
  for (const std::string in_memory : {"true", "false"}) {
    for (const std::string loop :
         {"auto", "control_at_end"}) {  // the second runs it in the iteration
      CAPTURE(in_memory, loop);
      Application app;
      app.load_text(text)
          .extension(std::string(GXR_TEST_EXTENSION_DIR) + "/gpu.so")
          .set("until/before=0")  // also what nobody has written yet
          .set("make/value=4")
          .set("add/value=-4")
          .set("graph/loop=" + loop)
          .set("make/in_memory=" + in_memory)
          .set("add/in_memory=" + in_memory);
      run_async(app);
      for (int i = 0; i < (in_memory == "true" ? 50'000 : 100); ++i) {
        const int value = i % 60;
        app.set_all({"make/value=" + std::to_string(value), "add/value=" + std::to_string(-value)});
      }
      app.set_all({"make/value=17", "add/value=3"});
      const GraphStatistics graph = graph_of(app.wait());
      CHECK((in_memory == "true" ? graph.parameter_sets : graph.instantiations) >= 1);
    }
  }
}

TEST_CASE("One operator reads its value from memory, another is captured again", "[changes]") {
  for (const std::string mode : {"graph", "resident"}) {
    CAPTURE(mode);
    constexpr int kSum = 6;
    Application app;
    load(app, mode);
    app.set("until/before=" + std::to_string(kSum)).set("make/in_memory=true");
    run_async(app);
    for (int i = 0; i < 200; ++i) {
      const int value = i % 60;
      app.set_all(
          {"make/value=" + std::to_string(value), "add/value=" + std::to_string(kSum - value)});
    }
    app.set_all({"make/value=17", "add/value=3"});
    const GraphStatistics graph = graph_of(app.wait());
    CHECK(graph.node_updates + graph.instantiations >= 1);
  }
}

TEST_CASE("A new value may change a shape beside values that kernels read from memory",
          "[changes]") {
  for (const std::string mode : {"graph", "resident"}) {
    INFO(mode);
    Application app;
    load(app, mode);
    app.set("make/in_memory=true");
    run_async(app);
    app.set("make/size=65");
    app.set("make/value=15");
    CHECK(graph_of(app.wait()).instantiations == 1);
  }
}

TEST_CASE("A loop whose parameters change loses no message", "[changes]") {
  const std::string in_memory = GENERATE("false", "true");
  for (const std::string unroll : {"1", "4"}) {
    for (const std::string size : {"100", "20000"}) {
      CAPTURE(unroll, size, in_memory);
      Application app;
      app.load_text(kFed)
          .extension(std::string(GXR_TEST_EXTENSION_DIR) + "/gpu.so")
          .set("source/size=" + size)
          .set("a/in_memory=" + in_memory)
          .set("b/in_memory=" + in_memory)
          .set("loop/unroll=" + unroll);
      run_async(app);
      // So few that the run, of 0.2 s and more, does not end before.
      for (int i = 0; i < 50; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(1));
        app.set_all({"a/value=" + std::to_string(i), "b/value=" + std::to_string(10 - i)});
      }
      const Report report = app.wait();
      REQUIRE(report.reason == EndReason::Completed);
      const GraphStatistics& graph = report.graphs.front();
      CHECK(graph.iterations == 2000);
      CHECK((in_memory == "true" ? graph.parameter_sets : graph.instantiations) > 1);
    }
  }
}

TEST_CASE("Values of several operators come into a graph together", "[changes]") {
  constexpr int kSum = 6;  // of the values in the file, and of all pairs but the last
  Application app;
  load(app);
  app.set("until/before=" + std::to_string(kSum));
  run_async(app);
  for (int i = 0; i < 500; ++i) {
    const int value = i % 60;
    app.set_all(
        {"make/value=" + std::to_string(value), "add/value=" + std::to_string(kSum - value)});
  }
  app.set_all({"make/value=17", "add/value=3"});
  const GraphStatistics graph = graph_of(app.wait());
  CHECK(graph.node_updates >= 1);
  CHECK(graph.graph_updates + graph.instantiations == 0);
}

TEST_CASE("An operator that captures more than before has the graph made anew", "[changes]") {
  Application app;
  load(app);
  run_async(app);
  app.set_all({"make/kernels=3", "make/value=15"});
  const GraphStatistics graph = graph_of(app.wait());
  CHECK(graph.instantiations == 1);
}

TEST_CASE("A new value may change a shape", "[changes]") {
  for (const std::string mode : {"graph", "resident"}) {
    INFO(mode);
    Application app;
    load(app, mode);
    run_async(app);
    app.set_all({"make/size=4000", "make/value=15"});
    CHECK(graph_of(app.wait()).instantiations == 1);
  }
}

TEST_CASE("A shape that a new value makes and an operator refuses ends the run", "[changes]") {
  for (const std::string mode : {"graph", "resident"}) {
    INFO(mode);
    Application app;
    load(app, mode);
    run_async(app);
    app.set("make/size=0");
    const Report report = app.wait();
    const Failure& failure = failure_of(report);
    CHECK(failure.code == ErrorCode::InvalidArgument);
    CHECK(failure.entity == "make");
    CHECK(failure.text ==
          "with its new parameters the operator would write int32 [0] to 'make/out', but the graph "
          "was built for int32 [64]: operator 'make/constant': output 'out' would have no "
          "elements: int32 [0]");
  }
}

TEST_CASE("A capture that fails ends the run, with the operator's name", "[changes]") {
  Application app;
  load(app);
  run_async(app);
  app.set("make/fails=true");
  const Report report = app.wait();
  const Failure& failure = failure_of(report);
  CHECK(failure.entity == "make");
  CHECK(failure.method == "capture");
  CHECK(failure.text == "the table is broken");
}

TEST_CASE("An operator is switched off, gets a new value, and is switched on", "[changes]") {
  Application app;
  load(app);
  run_async(app);
  app.enable("make", false);
  app.set("make/value=15");
  app.enable("make");
  const GraphStatistics graph = graph_of(app.wait());
  CHECK(graph.instantiations == 0);
}

// What is set while it is off is never seen.
TEST_CASE("Operators are switched off in loops, and in bodies of branches", "[changes]") {
  struct Place {
    std::string mode;
    std::string body;  // of a branch; empty: there is none
  };
  const std::vector<Place> places = {{"resident", ""},
                                     {"resident", "make"},
                                     {"resident", "add"},
                                     {"graph", "make"},
                                     {"graph", "add"}};
  for (const auto& [mode, body] : places) {
    for (const std::string off : {"make", "add"}) {
      CAPTURE(mode, body, off);
      Application app;
      load(app, mode);
      if (!body.empty()) {
        app.load_text(every(1, body));
      }
      app.set(off == "make" ? "until/never=45" : "until/never=41");
      run_async(app);
      app.enable(off, false);
      app.set(off + "/value=40");
      app.set(off + (off == "make" ? "/value=15" : "/value=19"));
      app.enable(off);
      CHECK(graph_of(app.wait()).loops == (mode == "resident"));
    }
  }
}

TEST_CASE("An operator that is switched off passes its input on if it says so", "[changes]") {
  for (const std::string mode : {"graph", "resident"}) {
    for (const std::string body : {"", "add"}) {
      CAPTURE(mode, body);
      Application app;
      load(app, mode);
      if (!body.empty()) {
        app.load_text(every(1, body));
      }
      app.set("add/passes=true").set("until/before=6").set("until/last=1");
      run_async(app);
      app.enable("add", false);
      CHECK(graph_of(app.wait()).instantiations == 1);
    }
  }
}

TEST_CASE("What passes its input on has its new values when it is switched on again", "[changes]") {
  for (const std::string mode : {"graph", "resident"}) {
    INFO(mode);
    Application app;
    load(app, mode);
    app.set("add/passes=true").set("until/last=31");
    run_async(app);
    app.enable("add", false);
    app.set("add/value=30");
    app.enable("add");
    // All at once, if no iteration began in between: then it was never off.
    const GraphStatistics graph = graph_of(app.wait());
    CHECK(graph.node_updates + graph.instantiations >= 1);
  }
}

TEST_CASE("A loop whose operators are switched off loses no message", "[changes]") {
  Application app;
  app.load_text(kFed)
      .extension(std::string(GXR_TEST_EXTENSION_DIR) + "/gpu.so")
      .set_all({"a/passes=true", "b/passes=true", "a/value=0", "b/value=10"});
  run_async(app);
  for (int i = 0; i < 50; ++i) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    app.enable("a", i % 2 != 0);  // adds nothing anyway
  }
  const Report report = app.wait();
  REQUIRE(report.reason == EndReason::Completed);
  CHECK(report.graphs.front().iterations == 2000);
  CHECK(report.graphs.front().instantiations > 1);
}

TEST_CASE("An operator with a function of the host is not switched off", "[changes]") {
  Application app;
  load(app);
  app.set("make/calls_host=true");
  run_async(app);
  app.enable("make", false);
  const Report report = app.wait();
  const Failure& failure = failure_of(report);
  CHECK(failure.code == ErrorCode::NotSupported);
  CHECK(failure.entity == "make");
  CHECK_THAT(failure.text, ContainsSubstring("cannot be switched off"));
}

TEST_CASE("What was not switched off may be switched on, whatever its nodes", "[changes]") {
  Application app;
  load(app);
  app.set("make/calls_host=true");
  run_async(app);
  app.enable("make");
  app.set("make/value=15");
  static_cast<void>(graph_of(app.wait()));
}

// The operator has the table from the graph alone, and `until` looks whether it is there.
TEST_CASE("A loop on the GPU keeps what its operators ask it to", "[changes]") {
  Application app;
  load(app, "resident");
  app.set("make/value=15");
  run_async(app);
  CHECK(graph_of(app.wait()).loops);
}

// A graph that loops on the GPU in the hands of a program.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>

#include "application_run.hpp"
#include "catch.hpp"
#include "gxr/application.hpp"
#include "gxr/cuda/check.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/error.hpp"
#include "soak.hpp"

namespace {

using namespace gxr;
using namespace std::chrono_literals;
using Catch::Matchers::ContainsSubstring;

const std::string kApplication = R"(
name: source
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: count, type: gpu::Count, parameters: {out: out, pool: memory/pool, size: 512}}
---
name: add
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: add, type: gpu::Add, parameters: {in: in, out: out, pool: memory/pool, value: 5}}
---
name: tally
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: tally, type: gpu::Tally, parameters: {in: in, first: 6}}
---
components:
- {type: gxr::Connection, parameters: {source: source/out, target: add/in}}
- {type: gxr::Connection, parameters: {source: add/out, target: tally/in}}
- {name: loop, type: gxr::cuda::GraphExecutor, parameters: {mode: resident, host_driven: true, LOOP entities: [source, add, tally]}}
---
name: memory
components:
- {name: pool, type: gxr::UnboundedAllocator}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";

class Running {
 public:
  /// `more`: documents that end with `---`.
  explicit Running(const std::string& options = {}, const std::string& more = {},
                   const std::string& application = kApplication) {
    std::string text = more + application.substr(1);
    text.replace(text.find("LOOP "), 5, options);
    app.load_text(text).extension(std::string(GXR_TEST_EXTENSION_DIR) + "/gpu.so");
    test::run_async(app);
    REQUIRE(loop().wait_until_launched(30s));
  }
  ResidentGraph loop() { return app.resident_graph("loop"); }
  Report end() {
    app.interrupt();
    return app.wait();
  }

  Application app;
};

bool soon(const std::function<bool()>& is_true) {
  const auto end = std::chrono::steady_clock::now() + 10s;
  while (!is_true() && std::chrono::steady_clock::now() < end) {
  }
  return is_true();
}

}  // namespace

TEST_CASE("A program begins the iterations of a loop, and none is lost", "[resident]") {
  for (const char* options : {"", "unroll: 4, ", "data_not_ready_sleep_interval_us: 0, "}) {
    INFO(options);
    Running running(options);
    ResidentGraph loop = running.loop();
    CHECK(loop.name() == "loop");
    CHECK(loop.is_launched());
    CHECK_FALSE(loop.result_ready());  // nothing was asked for
    for (int i = 0; i < 2000; ++i) {
      loop.data_ready();
      REQUIRE(soon([&] { return loop.result_ready(); }));
    }
    CHECK(loop.results() == 2000);
    for (int i = 0; i < 3001; ++i) {
      loop.data_ready();
    }
    REQUIRE(soon([&] { return loop.result_ready(); }));
    CHECK(loop.results() == 5001);
    const Report report = running.end();
    REQUIRE(report.graphs.size() == 1);
    CHECK(report.graphs.front().iterations == 5001);
    CHECK_FALSE(loop.is_launched());
    CHECK_THROWS_WITH(loop.data_ready(), ContainsSubstring("is not launched"));
  }
}

TEST_CASE("A program rings behind the work of a stream", "[resident]") {
  Running running;
  ResidentGraph loop = running.loop();
  const LeasedStream stream;
  const auto put = [&](cudaHostFn_t function, void* argument) {
    cuda::check(cudaLaunchHostFunc(stream.get().handle(), function, argument),
                "cudaLaunchHostFunc");
  };
  std::atomic<bool> open = false;
  put([](void* gate) { static_cast<std::atomic<bool>*>(gate)->wait(false); }, &open);
  for (int i = 0; i < 3; ++i) {
    put([](void* rung) { static_cast<ResidentGraph*>(rung)->data_ready(); }, &loop);
  }
  std::this_thread::sleep_for(20ms);
  CHECK(loop.results() == 0);
  open = true;
  open.notify_all();
  CHECK(soon([&] { return loop.results() == 3; }));
  stream.finish();
  CHECK(running.end().graphs.front().iterations == 3);
}

TEST_CASE("A loop is torn down and launched again without being built anew", "[resident]") {
  Running running;
  ResidentGraph loop = running.loop();
  const auto free = [] { return DeviceRuntime::get().memory_info(0).free; };
  std::size_t before = 0;
  for (int cycle = 0; cycle < 21; ++cycle) {
    INFO("cycle " << cycle);
    for (int i = 0; i < 20; ++i) {
      loop.data_ready();
    }
    loop.tear_down(GraphStop::Drain);
    CHECK(loop.results() == 20);
    CHECK_FALSE(loop.is_launched());
    CHECK_THROWS_WITH(loop.data_ready(), ContainsSubstring("was torn down"));
    CHECK_THROWS_WITH(loop.tear_down(), ContainsSubstring("was torn down"));
    loop.launch();
    CHECK_THROWS_WITH(loop.launch(), ContainsSubstring("was not torn down"));
    CHECK(loop.is_launched());
    CHECK(loop.results() == 0);
    before = cycle == 0 ? free() : before;
  }
  CHECK(free() == before);
  loop.tear_down(GraphStop::Abort);
  CHECK(running.end().graphs.front().iterations == 0);
}

TEST_CASE(
    "What a loop has worked on before it is torn down is passed on before it is launched again",
    "[resident]") {
  // The sink takes the number of the iteration from 1 on, again from each launch.
  const std::string sink = R"(
name: sink
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: check, type: gpu::Check, parameters: {in: in, wait_us: 300, wanted: [6, 7, 8, 9, 10]}}
---
components:
- {type: gxr::Connection, parameters: {source: add/out, target: sink/in}}
---
)";
  Running running("slots: 4, ", sink);
  ResidentGraph loop = running.loop();
  for (int cycle = 0; cycle < 30; ++cycle) {
    INFO("cycle " << cycle);
    for (int i = 0; i < 5; ++i) {
      loop.data_ready();
    }
    loop.tear_down(GraphStop::Drain);
    CHECK(loop.results() == 5);
    loop.launch();
  }
  const Report report = running.end();
  INFO((report.failures.empty() ? std::string() : report.failures.front().text));
  CHECK(report.failures.empty());
  const auto found = std::ranges::find(report.entities, "sink", &EntityStatistics::entity);
  REQUIRE(found != report.entities.end());
  CHECK(found->ticks == 150);
}

TEST_CASE("A loop is torn down and launched again for GXR_SOAK_SECONDS", "[.soak]") {
  const auto end = std::chrono::steady_clock::now() + gxr::test::soak_time();
  std::mt19937 random(std::random_device{}());
  const auto any = [&](int least, int most) {
    return std::uniform_int_distribution<int>(least, most)(random);
  };
  while (std::chrono::steady_clock::now() < end) {
    const int unroll = any(1, 4);
    Running running("unroll: " + std::to_string(unroll) + ", ");
    ResidentGraph loop = running.loop();
    for (int launch = 0; launch < 50; ++launch) {
      const auto rung = static_cast<std::uint64_t>(any(0, 3000));
      for (std::uint64_t i = 0; i < rung; ++i) {
        loop.data_ready();
        if (any(0, 999) == 0) {
          std::this_thread::sleep_for(std::chrono::microseconds(any(0, 300)));
        }
      }
      const bool drains = any(0, 1) == 1;
      loop.tear_down(drains ? GraphStop::Drain : GraphStop::Abort);
      const std::uint64_t last = loop.results();
      INFO("unroll " << unroll << ", launch " << launch << ", drains " << drains);
      REQUIRE(last <= rung);
      REQUIRE((!drains || last == rung));
      loop.launch();
    }
    loop.tear_down(GraphStop::Abort);
    const Report report = running.end();
    CHECK(report.failures.empty());
    CHECK(report.graphs.front().iterations == 0);
  }
}

TEST_CASE("Threads control a loop at the same time", "[resident]") {
  Running running;
  std::vector<std::thread> threads;
  for (int i = 0; i < 4; ++i) {
    threads.emplace_back([&] {
      ResidentGraph loop = running.loop();
      for (int k = 0; k < 500; ++k) {
        loop.data_ready();
        static_cast<void>(loop.result_ready());
      }
    });
  }
  for (std::thread& thread : threads) {
    thread.join();
  }
  REQUIRE(soon([&] { return running.loop().result_ready(); }));
  CHECK(running.loop().results() == 2000);
  static_cast<void>(running.end());
}

TEST_CASE("A loop in the hands of a program has a timeout", "[resident]") {
  Running running("timeout_ms: 200, ");
  ResidentGraph loop = running.loop();
  loop.data_ready();
  const Report report = running.app.wait();
  CHECK(report.reason == EndReason::Completed);
  CHECK(report.graphs.front().iterations == 1);
  CHECK_FALSE(loop.is_launched());
}

TEST_CASE("A program changes how long a loop waits, and pauses, while it runs", "[resident]") {
  Running running;
  ResidentGraph loop = running.loop();
  const auto answers = [&] {
    loop.data_ready();
    return soon([&] { return loop.result_ready(); });
  };
  for (const auto interval : {0ns, 1'000'000ns, 1'000ns, std::chrono::nanoseconds(10s)}) {
    loop.set_sleep_interval(interval);
    std::this_thread::sleep_for(5ms);  // it pauses
    CHECK(answers());
  }
  loop.set_timeout(1h);
  loop.set_timeout(0ns);
  CHECK(answers());
  CHECK(loop.is_launched());
  loop.set_timeout(1ms);  // from its launch: it is over
  const Report report = running.app.wait();
  CHECK(report.reason == EndReason::Completed);
  CHECK(report.graphs.front().iterations == 5);
  CHECK_FALSE(loop.is_launched());
}

namespace {

/// An operator between a program and itself.
const std::string kOpenEnds = R"(
name: add
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: add, type: gpu::Add, parameters: {in: in, out: out, pool: memory/pool, value: 5}}
---
name: again
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: add, type: gpu::Add, parameters: {in: in, out: out, pool: memory/pool, value: 7}}
---
components:
- {type: gxr::Connection, parameters: {source: add/out, target: again/in}}
- {name: loop, type: gxr::cuda::GraphExecutor, parameters: {mode: resident, host_driven: true, LOOP entities: [add, again], inputs: {add/in: "int32 [256]"}}}
---
name: memory
components:
- {name: pool, type: gxr::UnboundedAllocator}
---
name: scheduler
components:
- {name: clock, type: gxr::RealtimeClock}
- {type: gxr::GreedyScheduler, parameters: {clock: clock}}
)";

void copy(void* to, const void* from, std::size_t bytes, const DeviceStream& stream) {
  cuda::check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream.handle()),
              "cudaMemcpyAsync");
  cuda::check(cudaStreamSynchronize(stream.handle()), "cudaStreamSynchronize");
}

}  // namespace

TEST_CASE("A program writes the inputs of a loop, and reads every result", "[resident]") {
  for (const std::string options :
       {"", "sync_with_host: true,", "unroll: 4,", "loop: control_at_end,"}) {
    INFO(options);
    Running running(options, {}, kOpenEnds);
    ResidentGraph loop = running.app.resident_graph("loop");
    const GraphPort in = loop.input("add/in");
    const GraphPort between = loop.output("add/out");
    const GraphPort out = loop.output("again/out");
    REQUIRE(in.spec.bytes() == 1024);
    const LeasedStream stream;
    std::vector<std::int32_t> data(256);
    std::vector<std::int32_t> result(256);
    copy(data.data(), in.address, 1024, stream.get());
    CHECK(data == result);  // zeros
    const int count = options.empty() ? 100'000 : 10'000;
    for (std::int32_t i = 1; i <= count; ++i) {
      for (std::size_t k = 0; k < data.size(); ++k) {
        data[k] = 3 * i + static_cast<std::int32_t>(k);
      }
      copy(in.address, data.data(), 1024, stream.get());
      loop.data_ready();
      REQUIRE(soon([&] { return loop.result_ready(); }));
      copy(result.data(), out.address, 1024, stream.get());
      for (std::size_t k = 0; k < data.size(); ++k) {
        if (result[k] != data[k] + 12) {
          FAIL("input " << i << ", element " << k << ": " << result[k]);
        }
      }
    }
    copy(result.data(), between.address, 1024, stream.get());
    CHECK(result[255] == data[255] + 5);
    CHECK(loop.results() == static_cast<std::uint64_t>(count));
  }
}

TEST_CASE("A loop pauses as long as it is told to", "[resident]") {
  // On average half of the pause is left when the program rings.
  Running running("pause: fixed, data_not_ready_sleep_interval_us: 50000,", {}, kOpenEnds);
  ResidentGraph loop = running.app.resident_graph("loop");
  const auto begin = std::chrono::steady_clock::now();
  for (int i = 0; i < 10; ++i) {
    std::this_thread::sleep_for(3ms);
    loop.data_ready();
    REQUIRE(soon([&] { return loop.result_ready(); }));
  }
  CHECK(std::chrono::steady_clock::now() - begin > 200ms);
  loop.set_sleep_interval(1s);
  std::this_thread::sleep_for(100ms);
  loop.tear_down();  // does not wait for the pause
  CHECK_FALSE(loop.is_launched());
}

TEST_CASE("A program tears a loop down and goes on meanwhile", "[resident]") {
  Running running;
  ResidentGraph loop = running.loop();
  for (int cycle = 0; cycle < 10; ++cycle) {
    for (int i = 0; i < 100; ++i) {
      loop.data_ready();
    }
    loop.begin_tear_down(GraphStop::Drain);
    CHECK_THROWS_WITH(loop.data_ready(), ContainsSubstring("was torn down"));
    REQUIRE(soon([&] { return !loop.is_launched(); }));
    CHECK(loop.results() == 100);
    loop.launch();
  }
  CHECK(running.end().failures.empty());
}

TEST_CASE("A program asks for loops that are there", "[resident]") {
  Application app;
  app.load_text(kApplication);
  CHECK_THROWS_WITH(app.resident_graph("loop"), ContainsSubstring("follows run_async()"));
  Running running;
  CHECK_THROWS_WITH(running.app.resident_graph("lop"), ContainsSubstring("no region 'lop'"));
  static_cast<void>(running.end());
}

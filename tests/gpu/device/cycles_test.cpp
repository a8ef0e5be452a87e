// Applications that are started and stopped again and again in one process leave nothing behind.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <iterator>
#include <string>
#include <thread>
#include <vector>

#include <cuda_runtime_api.h>

#include "application_run.hpp"
#include "catch.hpp"
#include "device/device_engine.hpp"
#include "gxr/application.hpp"

namespace {

constexpr const char* kApplication = R"(
name: source
components:
- {name: out, type: nvidia::gxf::DoubleBufferTransmitter}
- {name: streams, type: nvidia::gxf::CudaStreamPool, parameters: {reserved_size: 2}}
- {name: count, type: gpu::Count, parameters: {out: out, pool: memory/pool, cuda_stream_pool: streams, named: true}}
- {type: nvidia::gxf::CountSchedulingTerm, parameters: {count: 4}}
- {type: nvidia::gxf::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
---
name: add
components:
- {name: in, type: nvidia::gxf::DoubleBufferReceiver}
- {name: out, type: nvidia::gxf::DoubleBufferTransmitter}
- {name: add, type: gpu::Add, parameters: {in: in, out: out, pool: memory/ordered}}
- {type: nvidia::gxf::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {type: nvidia::gxf::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
---
name: to_host
components:
- {name: in, type: nvidia::gxf::DoubleBufferReceiver}
- {name: out, type: nvidia::gxf::DoubleBufferTransmitter}
- {type: nvidia::gxf::TensorCopier, parameters: {receiver: in, transmitter: out, allocator: memory/free, mode: 1}}
- {type: nvidia::gxf::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {type: nvidia::gxf::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
---
name: check
components:
- {name: in, type: nvidia::gxf::DoubleBufferReceiver}
- {type: gxr::cuda::CudaStreamCondition, parameters: {receiver: in}}
- {type: gpu::Check, parameters: {in: in, first: 2, quiet: true}}
---
name: memory
components:
- {name: pool, type: nvidia::gxf::BlockMemoryPool, parameters: {storage_type: 1, block_size: 4096, num_blocks: 8}}
- {name: ordered, type: nvidia::gxf::StreamOrderedAllocator}
- {name: free, type: nvidia::gxf::UnboundedAllocator}
---
components:
- {type: nvidia::gxf::Connection, parameters: {source: source/out, target: add/in}}
- {type: nvidia::gxf::Connection, parameters: {source: add/out, target: to_host/in}}
- {type: nvidia::gxf::Connection, parameters: {source: to_host/out, target: check/in}}
---
name: scheduler
components:
- {name: clock, type: nvidia::gxf::RealtimeClock}
- {type: nvidia::gxf::GreedyScheduler, parameters: {clock: clock}}
)";

constexpr const char* kGraph = R"(
name: source
components:
- {name: out, type: gxr::DoubleBufferTransmitter}
- {type: gpu::Feed, parameters: {out: out, pool: memory/pool, size: 512}}
- {type: gxr::CountSchedulingTerm, parameters: {count: 4}}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
---
name: add
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {name: out, type: gxr::DoubleBufferTransmitter}
- {name: add, type: gpu::Add, parameters: {in: in, out: out, pool: memory/pool, value: 5}}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {type: gxr::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: out}}
---
name: check
components:
- {name: in, type: gxr::DoubleBufferReceiver}
- {type: gxr::MessageAvailableSchedulingTerm, parameters: {receiver: in}}
- {type: gpu::Check, parameters: {in: in, first: 6, step: 1, quiet: true}}
---
components:
- {type: gxr::Connection, parameters: {source: source/out, target: add/in}}
- {type: gxr::Connection, parameters: {source: add/out, target: check/in}}
- {type: gxr::cuda::GraphExecutor, parameters: {mode: MODE, entities: [add]}}
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

std::string graph_in(const std::string& mode) {
  std::string text = kGraph;
  return text.replace(text.find("MODE"), 4, mode);
}

void run_once(const std::string& text) {
  gxr::Application app;
  app.load_text(text).extension(std::string(GXR_TEST_EXTENSION_DIR) + "/gpu.so");
  gxr::test::require_valid(app);
  const gxr::Report report = app.run();
  INFO((report.failures.empty() ? std::string() : report.failures.front().text));
  REQUIRE(report.reason == gxr::EndReason::Completed);
}

/// The operator makes a mistake when it is captured.
void fail_once(const std::string& mode, const std::string& mistake) {
  std::string text = graph_in(mode);
  const std::string good =
      "type: gpu::Add, parameters: {in: in, out: out, pool: memory/pool, value: 5}";
  text.replace(text.find(good), good.size(),
               "type: gpu::BadCapture, parameters: {in: in, out: out, mistake: " + mistake + "}");
  gxr::Application app;
  app.load_text(text).extension(std::string(GXR_TEST_EXTENSION_DIR) + "/gpu.so");
  gxr::test::require_valid(app);
  const gxr::Report report = app.run();
  REQUIRE(report.reason == gxr::EndReason::Failed);
  REQUIRE_FALSE(report.failures.empty());
  INFO(report.failures.front().text);
  CHECK(report.failures.front().entity == "add");
  CHECK(report.failures.front().method == "capture");
}

/// Allocates and copies as long as it is there, which no build minds; while a loop runs it frees
/// nothing, since CUDA waits for the loop then.
class Disturber {
 public:
  explicit Disturber(bool frees)
      : thread_([this, frees] {
          std::vector<void*> kept;
          while (!ends_) {
            void* memory = nullptr;
            std::int32_t word = 7;
            good_ = good_ && cudaMalloc(&memory, sizeof word) == cudaSuccess &&
                    cudaMemcpy(memory, &word, sizeof word, cudaMemcpyHostToDevice) == cudaSuccess &&
                    cudaMemset(memory, 0, sizeof word) == cudaSuccess;
            ++rounds_;
            if (frees) {
              good_ = good_ && cudaFree(memory) == cudaSuccess;
            } else {
              kept.push_back(memory);
            }
          }
          for (void* memory : kept) {
            good_ = good_ && cudaFree(memory) == cudaSuccess;
          }
        }) {}
  Disturber(const Disturber&) = delete;
  Disturber& operator=(const Disturber&) = delete;
  ~Disturber() { join(); }

  /// Have all calls worked? Ends it.
  [[nodiscard]] bool was_good() {
    join();
    return good_ && rounds_ > 0;
  }

 private:
  void join() {
    ends_ = true;
    if (thread_.joinable()) {
      thread_.join();
    }
  }

  std::atomic<bool> ends_ = false;
  std::atomic<bool> good_ = true;
  std::atomic<int> rounds_ = 0;
  std::thread thread_;
};

struct Held {
  std::size_t device_bytes;
  gxr::DeviceObjects objects;
  std::ptrdiff_t files;
  std::ptrdiff_t threads;

  /// Events: a few more where the GPU was slower for once; a leak would make a thousand.
  friend bool operator==(const Held& a, const Held& b) {
    return a.device_bytes == b.device_bytes && a.objects.streams == b.objects.streams &&
           a.objects.events <= b.objects.events + 8 &&
           a.objects.pinned_bytes == b.objects.pinned_bytes && a.files == b.files &&
           a.threads == b.threads;
  }
  friend std::ostream& operator<<(std::ostream& out, const Held& held) {
    return out << held.device_bytes << " bytes free on the device, " << held.objects.streams
               << " streams, " << held.objects.events << " events, " << held.objects.pinned_bytes
               << " page-locked bytes, " << held.files << " files, " << held.threads << " threads";
  }
};

std::ptrdiff_t entries(const char* folder) {
  const std::filesystem::directory_iterator found(folder);
  return std::distance(begin(found), end(found));
}

Held held() {
  const auto& runtime = gxr::DeviceEngine::get();
  return {runtime.memory_info(0).free, runtime.objects(), entries("/proc/self/fd"),
          entries("/proc/self/task")};
}

/// What is made once for the process is there after the first runs, and each stream has the events
/// it goes round with.
void require_nothing_left(const std::function<void()>& run, int runs, int first_runs = 60) {
  for (int i = 0; i < first_runs; ++i) {
    run();
  }
  const Held first = held();
  for (int i = 0; i < runs; ++i) {
    run();
  }
  // A thread that was joined is listed a moment longer.
  const auto end = std::chrono::steady_clock::now() + std::chrono::seconds(2);
  while (held() != first && std::chrono::steady_clock::now() < end) {
    std::this_thread::yield();
  }
  CHECK(held() == first);
}

}  // namespace

TEST_CASE("A thousand runs leave no memory, streams, events, files or threads behind", "[cycles]") {
  require_nothing_left([] { run_once(kApplication); }, 1000);
}

TEST_CASE("Runs of CUDA graphs leave nothing behind", "[cycles]") {
  const std::string mode = GENERATE("graph", "resident");
  INFO(mode);
  require_nothing_left([&] { run_once(graph_in(mode)); }, 200);
}

TEST_CASE("A capture that fails leaves nothing behind, and the next run works", "[cycles]") {
  const std::string mode = GENERATE("graph", "resident");
  INFO(mode);
  std::vector<std::string> mistakes{"nothing", "throw",    "malloc",      "synchronize",
                                    "device",  "query",    "event_query", "event_wait",
                                    "foreign", "unjoined", "launch"};
  if (mode == "resident") {
    mistakes.insert(mistakes.end(), {"pageable", "callback", "allocate", "event"});
  }
  for (const std::string& mistake : mistakes) {
    INFO(mistake);
    fail_once(mode, mistake);
    run_once(graph_in(mode));
  }
  std::size_t next = 0;
  require_nothing_left([&] { fail_once(mode, mistakes[next++ % mistakes.size()]); }, 64);
  run_once(graph_in(mode));
}

TEST_CASE("Buffers that do not fit into the GPU's memory leave nothing behind", "[cycles]") {
  const std::string mode = GENERATE("graph", "resident");
  INFO(mode);
  std::string text = graph_in(mode);
  const std::string entities = "entities: [add]";
  text.replace(text.find(entities), entities.size(),
               entities + ", slots: 64, inputs: {add/in: 'int32 [1073741824]'}");
  const auto fail = [&] {
    gxr::Application app;
    app.load_text(text).extension(std::string(GXR_TEST_EXTENSION_DIR) + "/gpu.so");
    gxr::test::require_valid(app);
    const gxr::Report report = app.run();
    REQUIRE_FALSE(report.failures.empty());
    CHECK(report.failures.front().code == gxr::ErrorCode::OutOfMemory);
    CHECK_THAT(report.failures.front().text, Catch::Matchers::ContainsSubstring("GPU 0 "));
  };
  require_nothing_left(fail, 5, 3);
  run_once(graph_in(mode));
}

TEST_CASE("Others allocate and copy while graphs are built", "[cycles]") {
  const std::string mode = GENERATE("graph", "resident");
  INFO(mode);
  Disturber disturber(mode == "graph");
  for (int i = 0; i < 50; ++i) {
    run_once(graph_in(mode));
  }
  CHECK(disturber.was_good());
}

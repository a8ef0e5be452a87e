// Chains of codelets with one small kernel each, on the greedy scheduler, against loops that make
// the same CUDA calls; memory from a pool; two branches side by side. Everything in one run, best
// of several rounds, because machines are noisy.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <functional>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "device/current_stream.hpp"
#include "gxr/application.hpp"
#include "gxr/cuda/check.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/gxr.hpp"
#include "tests/extensions/gpu/kernels.cuh"
#include "tests/unit/sdk/harness.hpp"

namespace {

using gxr::cuda::check;

constexpr int kCodelets = 10;
constexpr int kMessages = 20'000;
constexpr int kRounds = 5;
constexpr std::int32_t kElements = 512;

double seconds(const std::function<void()>& work) {
  const auto start = std::chrono::steady_clock::now();
  work();
  return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// Streams, events and memory for the loops by hand.
struct ByHand {
  std::vector<cudaStream_t> streams = std::vector<cudaStream_t>(kCodelets + 1);
  std::vector<cudaEvent_t> events = std::vector<cudaEvent_t>(kCodelets + 1);
  std::vector<std::int32_t*> memory = std::vector<std::int32_t*>(kCodelets + 1);

  ByHand() {
    for (std::size_t i = 0; i <= kCodelets; ++i) {
      check(cudaStreamCreateWithFlags(&streams[i], cudaStreamNonBlocking), "stream");
      check(cudaEventCreateWithFlags(&events[i], cudaEventDisableTiming), "event");
      check(cudaMalloc(&memory[i], kElements * sizeof(std::int32_t)), "memory");
      check(cudaMemset(memory[i], 0, kElements * sizeof(std::int32_t)), "memset");
    }
    check(cudaDeviceSynchronize(), "synchronize");
  }

  /// One stream, nothing but launches.
  void launches() const {
    for (int message = 0; message < kMessages; ++message) {
      for (std::size_t i = 0; i < kCodelets; ++i) {
        gpu::add<<<2, 256, 0, streams[0]>>>(memory[i], nullptr, memory[i + 1], kElements, 1, 0);
      }
    }
    check(cudaStreamSynchronize(streams[0]), "synchronize");
  }

  /// A stream for each kernel, which waits for the event that was recorded behind the one before.
  void events_between() const {
    for (int message = 0; message < kMessages; ++message) {
      for (std::size_t i = 0; i < kCodelets; ++i) {
        if (i > 0) {
          check(cudaStreamWaitEvent(streams[i], events[i - 1], 0), "wait");
        }
        gpu::add<<<2, 256, 0, streams[i]>>>(memory[i], nullptr, memory[i + 1], kElements, 1, 0);
        check(cudaEventRecord(events[i], streams[i]), "record");
      }
    }
    for (cudaStream_t stream : streams) {
      check(cudaStreamSynchronize(stream), "synchronize");
    }
  }
};

std::string entity(const std::string& name, const std::string& codelet, bool in, bool out,
                   int count, int capacity = 1) {
  std::string text = "---\nname: " + name + "\ncomponents:\n";
  const std::string parameters = ", parameters: {capacity: " + std::to_string(capacity) + "}}\n";
  if (in) {
    text += "- {name: in, type: nvidia::gxf::DoubleBufferReceiver" + parameters;
    text += "- {type: nvidia::gxf::MessageAvailableSchedulingTerm, parameters: {receiver: in}}\n";
  }
  if (out) {
    text += "- {name: out, type: nvidia::gxf::DoubleBufferTransmitter" + parameters;
    text +=
        "- {type: nvidia::gxf::DownstreamReceptiveSchedulingTerm, parameters: {transmitter: "
        "out}}\n";
  }
  if (count > 0) {
    text +=
        "- {type: nvidia::gxf::CountSchedulingTerm, parameters: {count: " + std::to_string(count) +
        "}}\n";
  }
  return text + "- " + codelet + "\n";
}

std::string connection(const std::string& from, const std::string& to) {
  return "---\ncomponents:\n- {type: nvidia::gxf::Connection, parameters: {source: " + from +
         "/out, target: " + to + "/in}}\n";
}

std::string frame(const std::string& application) {
  return application +
         "---\nname: memory\ncomponents:\n- {name: pool, type: nvidia::gxf::BlockMemoryPool, "
         "parameters: {storage_type: 1, block_size: 2048, num_blocks: 256}}\n"
         "---\nname: scheduler\ncomponents:\n- {name: clock, type: nvidia::gxf::RealtimeClock}\n"
         "- {type: nvidia::gxf::GreedyScheduler, parameters: {clock: clock}}\n";
}

std::string add_codelet(bool out = true, int work_us = 0, int blocks = 2, int policy = 0) {
  return std::string("{type: gpu::Add, parameters: {in: in, ") + (out ? "out: out, " : "") +
         "pool: memory/pool, work_us: " + std::to_string(work_us) +
         ", blocks: " + std::to_string(blocks) + ", policy: " + std::to_string(policy) + "}}";
}

std::string count_codelet() {
  return "{type: gpu::Count, parameters: {out: out, pool: memory/pool, size: " +
         std::to_string(kElements) + "}}";
}

/// A source and kCodelets - 1 behind it, each with a kernel; with `second_consumer`, every output
/// has one more consumer, so that nobody can take over a stream.
std::string chain(bool second_consumer) {
  std::string text = entity("n0", count_codelet(), false, true, kMessages);
  const std::string drop = "{type: gpu::Drop, parameters: {in: in}}";
  for (int i = 1; i < kCodelets; ++i) {
    const std::string name = "n" + std::to_string(i);
    const std::string before = "n" + std::to_string(i - 1);
    const bool last = i == kCodelets - 1;
    text += entity(name, add_codelet(!last), true, !last, 0);
    text += connection(before, name);
    if (second_consumer) {
      text += entity("d" + std::to_string(i), drop, true, false, 0);
      text += connection(before, "d" + std::to_string(i));
    }
  }
  return frame(text);
}

/// `branches` codelets behind one source, with kernels of `work_us` that fill a quarter of the GPU.
std::string fork(int branches, int messages, int work_us, int blocks) {
  std::string text = entity("source", count_codelet(), false, true, messages);
  for (int i = 0; i < branches; ++i) {
    const std::string name = "branch" + std::to_string(i);
    const std::string end = "end" + std::to_string(i);
    text += entity(name, add_codelet(true, work_us, blocks), true, true, 0) +
            connection("source", name);
    text += entity(end, "{type: gpu::Drop, parameters: {in: in}}", true, false, 0) +
            connection(name, end);
  }
  return frame(text);
}

/// Four codelets behind a source, with small kernels of `work_us`, and receivers with room.
std::string pipeline(int policy, int messages, int work_us) {
  std::string text = entity("n0", count_codelet(), false, true, messages);
  for (int i = 1; i <= 4; ++i) {
    const std::string name = "n" + std::to_string(i);
    text += entity(name, add_codelet(i < 4, work_us, 2, policy), true, i < 4, 0);
    text += connection("n" + std::to_string(i - 1), name);
  }
  return frame(text);
}

struct Run {
  double ticks;   ///< seconds from the first start() to the last stop(), on the CPU
  double to_end;  ///< seconds until the GPU is done and everything is given back
};

Run run(const std::string& application, const std::string& executor = {}) {
  gxr::Application app;
  if (!executor.empty()) {
    app.executor(executor);
  }
  app.load_text(application).extension(std::string(GXR_TEST_EXTENSION_DIR) + "/gpu.so");
  if (!app.validate()) {
    throw std::runtime_error(app.problems_text());
  }
  gxr::Report report;
  const double to_end = seconds([&] { report = app.run(); });
  if (!report.failures.empty()) {
    throw std::runtime_error(gxr::describe(report.failures.front()));
  }
  return {static_cast<double>(report.duration_ns) * 1e-9, to_end};
}

double best(const std::function<double()>& measure) {
  double least = std::numeric_limits<double>::max();
  for (int i = 0; i < kRounds; ++i) {
    least = std::min(least, measure());
  }
  return least;
}

void print_chains() {
  const ByHand by_hand;
  const double per = 1e6 / (static_cast<double>(kCodelets) * kMessages);
  double loops[2] = {1e9, 1e9};
  double apps[2] = {1e9, 1e9};
  const std::string applications[2] = {chain(false), chain(true)};
  for (int i = 0; i < kRounds; ++i) {
    loops[0] = std::min(loops[0], seconds([&] { by_hand.launches(); }));
    apps[0] = std::min(apps[0], run(applications[0]).ticks);
    loops[1] = std::min(loops[1], seconds([&] { by_hand.events_between(); }));
    apps[1] = std::min(apps[1], run(applications[1]).ticks);
  }
  std::printf("chain of %d, us per codelet            by hand      gxr    ratio  limit\n",
              kCodelets);
  std::printf("one consumer: launch                  %8.2f %8.2f %8.3f  1.15\n", loops[0] * per,
              apps[0] * per, apps[0] / loops[0]);
  std::printf("several: launch, record, wait         %8.2f %8.2f %8.3f  1.25\n", loops[1] * per,
              apps[1] * per, apps[1] / loops[1]);
}

/// A source and `length` codelets behind it, for a graph of all of them.
std::string long_chain(int length, int messages) {
  std::string text = entity("n0", count_codelet(), false, true, messages);
  for (int i = 1; i <= length; ++i) {
    const std::string name = "n" + std::to_string(i);
    text += entity(name, add_codelet(i < length), true, i < length, 0);
    text += connection("n" + std::to_string(i - 1), name);
  }
  return frame(text);
}

/// The same kernels in a CUDA graph, launched again and again.
double launch_graph(const ByHand& by_hand, int length, int messages) {
  cudaStream_t stream = by_hand.streams[0];
  check(cudaStreamBeginCapture(stream, cudaStreamCaptureModeThreadLocal), "capture");
  gpu::fill<<<2, 256, 0, stream>>>(by_hand.memory[0], kElements, 1, 0);
  for (int i = 0; i < length; ++i) {
    const auto from = static_cast<std::size_t>(i % kCodelets);
    gpu::add<<<2, 256, 0, stream>>>(by_hand.memory[from], nullptr, by_hand.memory[from + 1],
                                    kElements, 1, 0);
  }
  cudaGraph_t graph = nullptr;
  check(cudaStreamEndCapture(stream, &graph), "end of the capture");
  cudaGraphExec_t exec = nullptr;
  check(cudaGraphInstantiate(&exec, graph, 0), "instantiate");
  check(cudaGraphUpload(exec, stream), "upload");
  check(cudaStreamSynchronize(stream), "synchronize");
  const double time = seconds([&] {
    for (int i = 0; i < messages; ++i) {
      check(cudaGraphLaunch(exec, stream), "launch");
    }
    check(cudaStreamSynchronize(stream), "synchronize");
  });
  check(cudaGraphExecDestroy(exec), "destroy");
  check(cudaGraphDestroy(graph), "destroy");
  return time;
}

void print_graphs() {
  constexpr int kIterations = 20'000;
  const ByHand by_hand;
  std::printf("graph launched by the host, us per iteration  by hand      gxr    ratio\n");
  for (const int length : {1, 4, 16, 64}) {
    const std::string application = long_chain(length, kIterations);
    double loop = std::numeric_limits<double>::max();
    double app = std::numeric_limits<double>::max();
    for (int i = 0; i < 3; ++i) {
      loop = std::min(loop, launch_graph(by_hand, length, kIterations));
      app = std::min(app, run(application, "graph").ticks);
    }
    const double per = 1e6 / kIterations;
    std::printf("%2d operators behind a source                  %8.2f %8.2f %8.3f\n", length,
                loop * per, app * per, app / loop);
  }
}

void print_branches() {
  cudaDeviceProp device{};
  check(cudaGetDeviceProperties(&device, 0), "properties");
  // 256 threads a block, 2048 threads an SM.
  const int quarter = device.multiProcessorCount / 4 * 8;
  constexpr int kCount = 1000;
  constexpr int kWorkUs = 200;
  const double one = best([&] { return run(fork(1, kCount, kWorkUs, quarter)).to_end; });
  const double two = best([&] { return run(fork(2, kCount, kWorkUs, quarter)).to_end; });
  std::printf("two branches of a quarter of the GPU each, against one: %.3f  limit 1.2\n",
              two / one);
}

void print_policies() {
  constexpr int kCount = 1000;
  constexpr int kWorkUs = 100;
  const auto per_message = [&](int policy) {
    return best([&] { return run(pipeline(policy, kCount, kWorkUs)).to_end; }) * 1e6 / kCount;
  };
  std::printf("four codelets of 100 us, us a message: one stream for all %.0f, one for each %.0f\n",
              per_message(0), per_message(1));
}

void print_memory() {
  gxr::harness::Harness harness;
  auto& pool = harness.add<gxr::BlockMemoryPool>(
      "memory/pool", {{"storage_type", "1"}, {"block_size", "2048"}, {"num_blocks", "16"}});
  harness.initialize();
  const gxr::LeasedStream a;
  const gxr::LeasedStream b;
  constexpr int kTimes = 200'000;
  const auto measure = [&](gxr::DeviceStream* user) {
    gxr::DeviceStream* const outer = gxr::set_current_device_stream(&a.get());
    const double time = best([&] {
      return seconds([&] {
        for (int i = 0; i < kTimes; ++i) {
          gxr::Tensor tensor;
          tensor.allocate<std::int32_t>(pool, {kElements}, gxr::MemoryStorageType::Device);
          if (user != nullptr) {
            tensor.add_device_user(*user);
          }
        }
      });
    });
    gxr::set_current_device_stream(outer);
    return time * 1e9 / kTimes;
  };
  std::printf("allocate and free, ns: same stream %.0f  limit 200; one foreign user %.0f\n",
              measure(nullptr), measure(&b.get()));
}

}  // namespace

int main() {
  try {
    print_chains();
    print_branches();
    print_policies();
    print_memory();
    print_graphs();
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}

// host_data_bench SAMPLES ROUNDS BYTES [LOOP]: data into a loop on the GPU, one iteration, and its
// result back, by copies of CUDA: through gxr, and with a WHILE node written by hand, in turns. The
// same kernel works in both. LOOP: the loop of the GraphExecutor, auto without it. Prints a line of
// JSON for each round, with the medians of the three parts; ends with 1 when a result is wrong.

#include <atomic>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include <cuda_runtime.h>
#include <dlfcn.h>

#include "arithmetic/device_kernels.hpp"
#include "bridge/cuda_objects.cuh"
#include "bridge/latency.hpp"
#include "gxr/application.hpp"

namespace {

using namespace std::chrono_literals;
using by_hand::check;
using by_hand::DeviceMemory;
using by_hand::PinnedMemory;
using gxr::arithmetic::DeviceKernels;

constexpr std::int32_t kAdded = 5;

// ------------------------------------------------------------------------------------ by hand

__device__ std::uint64_t load(const std::uint64_t* word) {
  std::uint64_t value = 0;
  asm volatile("ld.acquire.sys.global.u64 %0, [%1];" : "=l"(value) : "l"(word) : "memory");
  return value;
}

/// Waits until the host has rung once more than iterations are done; ~0: the loop is to end.
__global__ void head(const std::uint64_t* rung, const std::uint64_t* done) {
  while (load(rung) <= *done) {
  }
}

__global__ void tail(const std::uint64_t* rung, std::uint64_t* done, std::uint64_t* result,
                     cudaGraphConditionalHandle handle) {
  const std::uint64_t count = ++*done;
  asm volatile("st.release.sys.global.u64 [%0], %1;" ::"l"(result), "l"(count) : "memory");
  cudaGraphSetConditional(handle, load(rung) != ~std::uint64_t{0});
}

class ByHand {
 public:
  ByHand(const DeviceKernels& kernels, std::size_t count) : in_(count), out_(count) {
    check(cudaGraphCreate(&graph_, 0), "cudaGraphCreate");
    cudaGraphConditionalHandle handle{};
    check(cudaGraphConditionalHandleCreate(&handle, graph_, 1, cudaGraphCondAssignDefault),
          "cudaGraphConditionalHandleCreate");
    check(cudaStreamBeginCaptureToGraph(stream_.get(), by_hand::add_loop(graph_, {}, handle),
                                        nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCaptureToGraph");
    head<<<1, 1, 0, stream_.get()>>>(rung_.on_device(), done_.data());
    kernels.scale(in_.data(), out_.data(), static_cast<std::int64_t>(count), 1, kAdded,
                  stream_.get());
    tail<<<1, 1, 0, stream_.get()>>>(rung_.on_device(), done_.data(), result_.on_device(), handle);
    check(cudaGetLastError(), "kernels");
    cudaGraph_t body = nullptr;
    check(cudaStreamEndCapture(stream_.get(), &body), "cudaStreamEndCapture");
    check(cudaGraphInstantiate(&exec_, graph_, 0), "cudaGraphInstantiate");
    check(cudaGraphLaunch(exec_, stream_.get()), "cudaGraphLaunch");
  }
  ByHand(const ByHand&) = delete;
  ByHand& operator=(const ByHand&) = delete;
  ~ByHand() {
    word(rung_).store(~std::uint64_t{0}, std::memory_order_release);
    cudaStreamSynchronize(stream_.get());
    cudaGraphExecDestroy(exec_);
    cudaGraphDestroy(graph_);
  }

  [[nodiscard]] void* in() const { return in_.data(); }
  [[nodiscard]] const void* out() const { return out_.data(); }
  void ring() { word(rung_).store(++count_, std::memory_order_release); }
  [[nodiscard]] bool is_ready() const {
    return word(result_).load(std::memory_order_acquire) >= count_;
  }

 private:
  static std::atomic_ref<std::uint64_t> word(const PinnedMemory<std::uint64_t>& memory) {
    return std::atomic_ref<std::uint64_t>(*memory.data());
  }

  by_hand::Stream stream_;
  DeviceMemory<std::int32_t> in_;
  DeviceMemory<std::int32_t> out_;
  DeviceMemory<std::uint64_t> done_{1};
  PinnedMemory<std::uint64_t> rung_{1};
  PinnedMemory<std::uint64_t> result_{1};
  std::uint64_t count_ = 0;
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

// ------------------------------------------------------------------------------------ gxr

std::string application(std::size_t count, const std::string& loop) {
  return "name: add\noperator: gxr::arithmetic::Add\nparameters: {value: " +
         std::to_string(kAdded) +
         "}\n---\nname: gpu\ncomponents:\n- name: loop\n  type: gxr::cuda::GraphExecutor\n"
         "  parameters: {mode: resident, host_driven: true, loop: " +
         loop +
         ", entities: [add], inputs: {add/in: "
         "\"int32 [" +
         std::to_string(count) + "]\"}}\n";
}

class ByGxr {
 public:
  ByGxr(std::size_t count, const std::string& loop) {
    app_.load_text(application(count, loop));
    app_.run_async();
    loop_.emplace(app_.resident_graph("loop"));
    if (!loop_->wait_until_launched(30s)) {
      app_.interrupt();
      const gxr::Report report = app_.wait();
      throw std::runtime_error(report.failures.empty() ? "the loop was not launched"
                                                       : report.failures.front().text);
    }
    in_ = loop_->input("add/in");
    out_ = loop_->output("add/out");
  }
  ByGxr(const ByGxr&) = delete;
  ByGxr& operator=(const ByGxr&) = delete;
  ~ByGxr() {
    app_.interrupt();
    static_cast<void>(app_.wait());
  }

  [[nodiscard]] void* in() const { return in_.address; }
  [[nodiscard]] const void* out() const { return out_.address; }
  void ring() { loop_->data_ready(); }
  [[nodiscard]] bool is_ready() const { return loop_->result_ready(); }

 private:
  gxr::Application app_;
  std::optional<gxr::ResidentGraph> loop_;
  gxr::GraphPort in_;
  gxr::GraphPort out_;
};

// ------------------------------------------------------------------------------------ measuring

/// Stream and memory of the program. Freeing any of them waits for the end of a loop that runs.
struct Desk {
  explicit Desk(std::size_t size) : count(size), data(size), result(size) {}

  std::size_t count;
  by_hand::Stream stream;
  PinnedMemory<std::int32_t> data;
  PinnedMemory<std::int32_t> result;
};

template <class Loop>
void measure(const char* name, Loop& loop, std::int64_t samples, const Desk& desk) {
  const std::size_t count = desk.count;
  const by_hand::Stream& stream = desk.stream;
  const PinnedMemory<std::int32_t>& data = desk.data;
  const PinnedMemory<std::int32_t>& result = desk.result;
  const std::size_t bytes = count * sizeof(std::int32_t);
  const auto copy = [&](void* to, const void* from) {
    check(cudaMemcpyAsync(to, from, bytes, cudaMemcpyDefault, stream.get()), "cudaMemcpyAsync");
    check(cudaStreamSynchronize(stream.get()), "cudaStreamSynchronize");
  };
  std::vector<std::int64_t> ns;
  std::vector<std::int64_t> parts[3];  // copy in, iteration, copy out
  const std::int64_t began = bridge::now_ns();
  for (std::int64_t i = 0; i < samples; ++i) {
    for (std::size_t k = 0; k < count; ++k) {
      data.data()[k] = static_cast<std::int32_t>(i + static_cast<std::int64_t>(k));
    }
    const std::int64_t begin = bridge::now_ns();
    copy(loop.in(), data.data());
    const std::int64_t rung = bridge::now_ns();
    loop.ring();
    while (!loop.is_ready()) {
      if (bridge::now_ns() - begin > 5'000'000'000) {
        std::fprintf(stderr, "%s: no result for input %lld\n", name, static_cast<long long>(i));
        std::_Exit(1);
      }
    }
    const std::int64_t ready = bridge::now_ns();
    copy(result.data(), loop.out());
    if (i >= bridge::kWarmUp) {
      const std::int64_t end = bridge::now_ns();
      ns.push_back(end - begin);
      parts[0].push_back(rung - begin);
      parts[1].push_back(ready - rung);
      parts[2].push_back(end - ready);
    }
    for (std::size_t k = 0; k < count; ++k) {
      if (result.data()[k] != data.data()[k] + kAdded) {
        throw std::runtime_error(std::string(name) + ": a result is wrong");
      }
    }
  }
  const double seconds = static_cast<double>(bridge::now_ns() - began) * 1e-9;
  std::printf(
      "{\"loop\": \"%s\", \"bytes\": %zu, %s, \"in_us\": %.3f, \"iteration_us\": %.3f, \"out_us\": "
      "%.3f}\n",
      name, bytes, bridge::figures_json(samples, seconds, ns).c_str(),
      bridge::quantile_us(parts[0], 0.5), bridge::quantile_us(parts[1], 0.5),
      bridge::quantile_us(parts[2], 0.5));
  std::fflush(stdout);
}

const DeviceKernels& kernels() {
  void* const handle = dlopen(GXR_ARITHMETIC_KERNELS, RTLD_NOW);
  void* const get = handle == nullptr ? nullptr : dlsym(handle, gxr::arithmetic::kGetDeviceKernels);
  if (get == nullptr) {
    throw std::runtime_error(dlerror());
  }
  return *reinterpret_cast<gxr::arithmetic::GetDeviceKernels>(get)();
}

}  // namespace

int main(int argc, char** argv) {
  if (argc != 4 && argc != 5) {
    std::fputs("host_data_bench SAMPLES ROUNDS BYTES [LOOP]\n", stderr);
    return 2;
  }
  setenv("CUDA_MODULE_LOADING", "EAGER", 1);  // nothing is loaded while a loop runs
  try {
    const std::int64_t samples = std::atoll(argv[1]);
    const Desk desk(static_cast<std::size_t>(std::atoll(argv[3])) / sizeof(std::int32_t));
    for (int round = std::atoi(argv[2]); round > 0; --round) {
      {
        ByHand loop(kernels(), desk.count);
        measure("by hand", loop, samples, desk);
      }
      ByGxr loop(desk.count, argc == 5 ? argv[4] : "auto");
      measure("gxr", loop, samples, desk);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}

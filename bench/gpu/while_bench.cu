// A solver that repeats two sweeps and a look at the residual, by hand: one WHILE node whose body
// is captured from a stream. The same kernels as those of apps/solver, from poisson_cuda.so.
//
//   while_bench LIBRARY [TRIPS,...]
//
// One JSON object per line: for each number of trips, what the graph took in microseconds, the best
// of three launches.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <exception>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <cuda_runtime.h>
#include <dlfcn.h>

#include "bridge/cuda_objects.cuh"
#include "bridge/options.hpp"
#include "poisson/device_kernels.hpp"

namespace {

using by_hand::check;
using by_hand::DeviceMemory;
using gxr::poisson::DeviceKernels;
using gxr::poisson::Grid;

constexpr Grid kGrid{64, 64};
constexpr int kLaunches = 3;

/// Goes on while there are trips left; the residual is looked at, as one that is always too large.
__global__ void decide(cudaGraphConditionalHandle handle, const std::int32_t* above,
                       std::int64_t* done, std::int64_t most) {
  const bool more = *above >= 0 && ++*done < most;
  cudaGraphSetConditional(handle, more ? 1 : 0);
}

const DeviceKernels& kernels_of(const std::string& library) {
  void* const handle = dlopen(library.c_str(), RTLD_NOW);
  void* const get = handle == nullptr ? nullptr : dlsym(handle, gxr::poisson::kGetDeviceKernels);
  if (get == nullptr) {
    throw std::runtime_error(dlerror());
  }
  return *reinterpret_cast<gxr::poisson::GetDeviceKernels>(get)();
}

class Solver {
 public:
  Solver(const DeviceKernels& kernels, std::int64_t trips) {
    check(cudaGraphCreate(&graph_, 0), "cudaGraphCreate");
    cudaGraphConditionalHandle handle{};
    check(cudaGraphConditionalHandleCreate(&handle, graph_, 1, cudaGraphCondAssignDefault),
          "cudaGraphConditionalHandleCreate");
    check(cudaStreamBeginCaptureToGraph(stream_.get(), by_hand::add_loop(graph_, {}, handle),
                                        nullptr, nullptr, 0, cudaStreamCaptureModeThreadLocal),
          "cudaStreamBeginCaptureToGraph");
    kernels.sweep(kGrid, field_.data(), heat_.data(), between_.data(), stream_.get());
    kernels.sweep(kGrid, between_.data(), heat_.data(), field_.data(), stream_.get());
    kernels.residual(kGrid, field_.data(), heat_.data(), 0.0F, above_.data(), scratch_.data(),
                     stream_.get());
    decide<<<1, 1, 0, stream_.get()>>>(handle, above_.data(), done_.data(), trips);
    check(cudaGetLastError(), "decide");
    cudaGraph_t body = nullptr;
    check(cudaStreamEndCapture(stream_.get(), &body), "cudaStreamEndCapture");
    check(cudaGraphInstantiate(&exec_, graph_, 0), "cudaGraphInstantiate");
  }
  Solver(const Solver&) = delete;
  Solver& operator=(const Solver&) = delete;
  ~Solver() {
    cudaGraphExecDestroy(exec_);
    cudaGraphDestroy(graph_);
  }

  /// Microseconds.
  [[nodiscard]] double run() const {
    done_.clear();
    return by_hand::microseconds(
        stream_, [this] { check(cudaGraphLaunch(exec_, stream_.get()), "cudaGraphLaunch"); });
  }

 private:
  by_hand::Stream stream_;
  DeviceMemory<float> heat_{kGrid.size()};
  DeviceMemory<float> field_{kGrid.size()};
  DeviceMemory<float> between_{kGrid.size()};
  DeviceMemory<std::int32_t> above_{1};
  DeviceMemory<std::uint64_t> scratch_{gxr::poisson::kResidualScratch / sizeof(std::uint64_t)};
  DeviceMemory<std::int64_t> done_{1};
  cudaGraph_t graph_ = nullptr;
  cudaGraphExec_t exec_ = nullptr;
};

}  // namespace

int main(int count, char** arguments) {
  try {
    if (count < 2) {
      throw std::runtime_error("usage: while_bench LIBRARY [TRIPS,...]");
    }
    const DeviceKernels& kernels = kernels_of(arguments[1]);
    for (const std::int64_t trips : by_hand::numbers(count > 2 ? arguments[2] : "20000,40000")) {
      const Solver solver(kernels, trips);
      double best = std::numeric_limits<double>::max();
      for (int i = 0; i < kLaunches; ++i) {
        best = std::min(best, solver.run());
      }
      std::printf("{\"measure\": \"while\", \"trips\": %lld, \"us\": %.3f}\n",
                  static_cast<long long>(trips), best);
    }
  } catch (const std::exception& error) {
    std::fprintf(stderr, "%s\n", error.what());
    return 1;
  }
  return 0;
}

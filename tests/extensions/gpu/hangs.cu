// A codelet whose kernel does not end, and what may wait for it.

#include <cstdint>
#include <optional>
#include <string>

#include <cuda_runtime.h>

#include "gpu.hpp"
#include "gxr/cuda/check.hpp"
#include "gxr/device_runtime.hpp"
#include "kernels.cuh"

namespace gpu {

namespace {

__global__ void spend_alone(std::int64_t ns) { spend(ns); }

}  // namespace

/// Its first tick launches a kernel that takes 100 s, on a stream that gxr does not know, or, to
/// fill it up, on one of gxr's.
class Hang final : public gxr::Codelet {
 public:
  void declare(gxr::Interface& interface) override {
    interface.parameter(how_, "how", "What waits for the kernel",
                        "nobody; fill: a launch, when CUDA has no room for more; free_by_gxr: "
                        "stop(), by the engine");
  }
  void start() override {
    gxr::DeviceRuntime::get().use_device(0);
    // The engine knows of a device when it has a stream there.
    leased_.emplace();
    gxr::cuda::check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking),
                     "cudaStreamCreateWithFlags");
    memory_ = gxr::DeviceRuntime::get().allocate(1024, gxr::MemoryStorageType::Device, 0, {});
  }
  void tick() override {
    if (is_first_tick()) {
      spend_alone<<<1, 1, 0, *how_ == "fill" ? leased_->get().handle() : stream_>>>(
          100'000'000'000);
      return;
    }
    if (*how_ == "fill") {
      for (int i = 0; i < 100'000; ++i) {
        spend_alone<<<1, 1, 0, leased_->get().handle()>>>(0);
      }
    }
  }
  void stop() override {
    if (*how_ == "free_by_gxr") {
      gxr::DeviceRuntime::get().free(memory_, gxr::MemoryStorageType::Device);
    }
  }

 private:
  gxr::Parameter<std::string> how_;
  std::optional<gxr::LeasedStream> leased_;
  cudaStream_t stream_ = nullptr;
  void* memory_ = nullptr;
};

void add_hangs(gxr::Extension& extension) { extension.add<Hang>("Its kernel does not end"); }

}  // namespace gpu

// Both ends of what tells whether inputs are copied while the graph works on others: no iteration
// ends before the memory of later messages is back.

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <new>
#include <string>
#include <utility>

#include <cuda_runtime.h>

#include "gpu.hpp"
#include "gxr/cuda/check.hpp"
#include "gxr/device_runtime.hpp"
#include "kernels.cuh"

namespace gpu {

using gxr::Handle;
using gxr::Interface;
using gxr::Message;
using gxr::Parameter;
using gxr::Tensor;

namespace {

constexpr int kThreads = 256;
constexpr std::uint64_t kPatienceNs = 10'000'000'000;

/// Waits in iteration n until n + 1 + `ahead` have come back, or all. For ten seconds, and not
/// again once that was in vain.
__global__ void wait_for_returns(const std::uint64_t* iteration,
                                 const volatile std::uint64_t* returned, std::uint64_t ahead,
                                 std::uint64_t all, unsigned long long* in_vain) {
  std::uint64_t wanted = *iteration + 1 + ahead;
  wanted = wanted < all ? wanted : all;
  std::uint64_t start = 0;
  std::uint64_t now = 0;
  asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(start));
  while (*returned < wanted && *in_vain == 0) {
    asm volatile("mov.u64 %0, %%globaltimer;" : "=l"(now));
    if (now - start > kPatienceNs) {
      ++*in_vain;
    }
  }
}

}  // namespace

/// Passes tensors on in a graph; each iteration waits until `ahead` messages more than it needs
/// were given back to their gpu::Lend.
class Gate final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Tensors of a gpu::Lend");
    interface.output(out_, "out", "The same tensors");
    interface.parameter(ahead_, "ahead", "How many later messages an iteration waits for");
    interface.parameter(all_, "all", "How many messages there are");
  }
  /// Another one of the lent tensors was given back. Any thread.
  void count_return() noexcept { returned_->fetch_add(1, std::memory_order_release); }

  void initialize() override {
    auto& runtime = gxr::DeviceRuntime::get();
    void* const memory = runtime.allocate(sizeof *returned_, gxr::MemoryStorageType::Host,
                                          context().graph_device(*this).value_or(0),
                                          {.mapped = true, .write_combining = false});
    returned_ = new (memory) std::atomic<std::uint64_t>(0);
  }
  void start() override {
    check(cudaMalloc(&in_vain_, sizeof *in_vain_));
    check(cudaMemset(in_vain_, 0, sizeof *in_vain_));
    check(cudaStreamSynchronize(cudaStreamLegacy));
  }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "waits as a part of a graph only");
  }
  void infer(gxr::ShapeContext& context) override { context.set_output(out_, context.input(in_)); }
  void capture(gxr::CaptureContext& context) override {
    const Tensor& in = context.input(in_);
    wait_for_returns<<<1, 1, 0, context.stream()>>>(
        context.iteration(), reinterpret_cast<const std::uint64_t*>(returned_), *ahead_, *all_,
        in_vain_);
    add<<<8, kThreads, 0, context.stream()>>>(in.data<std::int32_t>(), nullptr,
                                              context.output(out_).data<std::int32_t>(),
                                              in.shape().dimension(0), 0, 0);
  }
  void stop() override {
    unsigned long long in_vain = 0;
    check(cudaMemcpy(&in_vain, in_vain_, sizeof in_vain, cudaMemcpyDeviceToHost));
    check(cudaFree(in_vain_));
    log_info(in_vain == 0 ? "never waited in vain" : "waited in vain");
  }
  void deinitialize() override {
    gxr::DeviceRuntime::get().free(returned_, gxr::MemoryStorageType::Host);
  }

 private:
  static_assert(sizeof(std::atomic<std::uint64_t>) == sizeof(std::uint64_t));
  static void check(cudaError_t error) { gxr::cuda::check(error, "a call of CUDA"); }

  gxr::Input<> in_;
  gxr::Output<> out_;
  Parameter<std::uint64_t> ahead_;
  Parameter<std::uint64_t> all_;
  std::atomic<std::uint64_t>* returned_ = nullptr;  // the GPU reads it, too
  unsigned long long* in_vain_ = nullptr;
};

/// Publishes tensors of memory of its own, full of 1, then of 2, and so on, and counts those that
/// come back.
class Lend final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override {
    interface.output(out_, "out", "Tensors");
    interface.parameter(gate_, "gate", "Who counts what comes back");
    interface.parameter(size_, "size", "Elements of each");
    interface.parameter(all_, "all", "How many there are");
    interface.parameter(pinned_, "pinned", "Whether it is page-locked memory").default_value(true);
  }
  void initialize() override {
    const std::size_t bytes = sizeof(std::int32_t) * static_cast<std::size_t>(*size_) * *all_;
    memory_ = static_cast<std::int32_t*>(
        *pinned_ ? gxr::DeviceRuntime::get().allocate(bytes, gxr::MemoryStorageType::Host, 0, {})
                 : ::operator new(bytes));
  }
  void tick() override {
    const auto number = static_cast<std::int32_t>(execution_count());
    std::int32_t* const values = memory_ + std::int64_t{number - 1} * *size_;
    std::fill_n(values, *size_, number);
    Message message = context().new_message();
    message.add<Tensor>().wrap(
        values, {*size_}, gxr::ElementType::Int32,
        *pinned_ ? gxr::MemoryStorageType::Host : gxr::MemoryStorageType::System, gate_.get().get(),
        [](void* gate, void* /*values*/) noexcept { static_cast<Gate*>(gate)->count_return(); });
    out_.publish(std::move(message));
  }
  void deinitialize() override {
    if (*pinned_) {
      gxr::DeviceRuntime::get().free(memory_, gxr::MemoryStorageType::Host);
    } else {
      ::operator delete(memory_);
    }
  }

 private:
  gxr::Output<> out_;
  Parameter<Handle<Gate>> gate_;
  Parameter<std::int32_t> size_;
  Parameter<std::uint64_t> all_;
  Parameter<bool> pinned_;
  std::int32_t* memory_ = nullptr;
};

void add_ahead(gxr::Extension& extension) {
  extension.add<Gate>("Waits in a graph until later messages were given back");
  extension.add<Lend>("Lends its own memory");
}

}  // namespace gpu

// ring_bench.so: from a ring in device memory to a result there, through a loop of gxr. ring.py
// runs it.

#include <cstdint>
#include <string>
#include <vector>

#include <cuda_runtime.h>

#include "figures.hpp"
#include "fill.cuh"
#include "gxr/cuda/check.hpp"
#include "gxr/cuda/packet_ring.hpp"
#include "gxr/gxr.hpp"

namespace ring_bench {

using gxr::Handle;
using gxr::Interface;
using gxr::Parameter;
using gxr::cuda::check;

/// The words that both sides share, in device memory.
class Board final : public gxr::Component {
 public:
  void declare(Interface& interface) override {
    interface.parameter(frames_, "frames", "How many are sent").minimum(1);
  }
  void initialize() override {
    gxr::DeviceRuntime::get().use_device(0);
    check(cudaMalloc(&results_, sizeof(Results)), "cudaMalloc");
    check(cudaMalloc(&latencies_, *frames_ * sizeof(std::uint32_t)), "cudaMalloc");
    const gxr::LeasedStream stream;
    check(cudaMemsetAsync(results_, 0, sizeof(Results), stream.get().handle()), "cudaMemsetAsync");
    stream.finish();
  }
  void deinitialize() override {
    cudaFree(results_);
    cudaFree(latencies_);
  }
  [[nodiscard]] std::uint64_t frames() const { return *frames_; }
  [[nodiscard]] Results* results() const noexcept { return results_; }
  [[nodiscard]] std::uint32_t* latencies() const noexcept { return latencies_; }

 private:
  Parameter<std::uint64_t> frames_;
  Results* results_ = nullptr;
  std::uint32_t* latencies_ = nullptr;
};

namespace {

__global__ void take(const std::uint64_t* elements, std::uint32_t words, Results* results,
                     std::uint32_t* latencies, std::uint64_t most) {
  work_on(elements, words, results, latencies, most);
}

}  // namespace

/// The network card, on the CPU's side: its first tick launches the kernel, the others wait for its
/// end.
class Card final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override {
    interface.parameter(ring_, "ring", "The ring");
    interface.parameter(board_, "board", "Counts the results");
    interface.parameter(words_, "words", "Words of a frame").minimum(2);
    interface.parameter(gap_ns_, "gap_ns", "From a result to the next frame").default_value(2000);
  }
  void start() override {
    gxr::DeviceRuntime::get().use_device(0);
    check(cudaStreamCreateWithFlags(&stream_, cudaStreamNonBlocking), "cudaStreamCreateWithFlags");
    ring_->take(gxr::cuda::RingEnd::Writer, *this);
    view_ = ring_->on_device(0);
  }
  void tick() override {
    if (execution_count() == 1) {
      fill<<<1, kFillThreads, 0, stream_>>>(view_, board_->frames(), *words_,
                                            &board_->results()->count, *gap_ns_);
      gxr::cuda::check_launch("fill");
      return;
    }
    const cudaError_t state = cudaStreamQuery(stream_);
    if (state != cudaErrorNotReady) {
      check(state, "cudaStreamQuery");
      context().interrupt();
    }
  }
  void stop() override {
    ring_->give_up(gxr::cuda::RingEnd::Writer);
    cudaStreamDestroy(stream_);
  }

 private:
  Parameter<Handle<gxr::cuda::PacketRing>> ring_;
  Parameter<Handle<Board>> board_;
  Parameter<std::uint32_t> words_;
  Parameter<std::uint64_t> gap_ns_;
  gxr::cuda::RingView view_;
  cudaStream_t stream_ = nullptr;
};

/// The operator behind the receiver: one tiny kernel.
class Take final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Frames of words");
    interface.parameter(board_, "board", "Where the results go");
  }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "works as a part of a CUDA graph only");
  }
  void infer(gxr::ShapeContext& context) override { static_cast<void>(context.input(in_)); }
  void capture(gxr::CaptureContext& context) override {
    words_ = static_cast<std::uint32_t>(context.input(in_).element_count());
    take<<<1, kFillThreads, 0, context.stream()>>>(
        static_cast<const std::uint64_t*>(context.input(in_).pointer()), words_, board_->results(),
        board_->latencies(), board_->frames());
  }
  void stop() override {
    Results results{};
    std::vector<std::uint32_t> latencies(board_->frames());
    const gxr::LeasedStream stream;
    check(cudaMemcpyAsync(&results, board_->results(), sizeof results, cudaMemcpyDeviceToHost,
                          stream.get().handle()),
          "cudaMemcpyAsync");
    check(cudaMemcpyAsync(latencies.data(), board_->latencies(),
                          latencies.size() * sizeof(std::uint32_t), cudaMemcpyDeviceToHost,
                          stream.get().handle()),
          "cudaMemcpyAsync");
    stream.finish();
    if (results.count != board_->frames() || results.sum != wanted_sum(board_->frames(), words_)) {
      throw gxr::Error(gxr::ErrorCode::InvalidData, std::to_string(results.count) + " results of " +
                                                        std::to_string(board_->frames()) +
                                                        ", or wrong ones");
    }
    log_info(figures_json(std::move(latencies)));
  }

 private:
  gxr::Input<gxr::Tensor> in_;
  Parameter<Handle<Board>> board_;
  std::uint32_t words_ = 0;
};

}  // namespace ring_bench

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<ring_bench::Board>("Counts results, and how long they took");
  extension.add<ring_bench::Card>("Fills a ring in device memory by a kernel");
  extension.add<ring_bench::Take>("Works on frames, and says how old they are");
}

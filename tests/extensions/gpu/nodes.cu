// Operators of graphs that the host launches, with nodes that a loop on the GPU cannot have.

#include <cstdint>
#include <optional>

#include <cuda_runtime.h>

#include "gpu.hpp"
#include "gxr/cuda/check.hpp"
#include "gxr/device_runtime.hpp"
#include "kernels.cuh"

namespace gpu {

using gxr::Handle;
using gxr::Interface;
using gxr::Parameter;
using gxr::Tensor;

namespace {

constexpr int kThreads = 256;

/// Writes `value` into `word`, `ns` nanoseconds after it began.
__global__ void write_late(std::int32_t* word, std::int32_t value, std::int64_t ns) {
  spend(ns);
  *word = value;
}

/// out = in + *word, which it reads `ns` nanoseconds after it began.
__global__ void add_word(const std::int32_t* in, std::int32_t* out, std::int64_t count,
                         const volatile std::int32_t* word, std::int64_t ns) {
  spend(ns);
  for (std::int64_t i = blockIdx.x * blockDim.x + threadIdx.x; i < count;
       i += gridDim.x * blockDim.x) {
    out[i] = in[i] + *word;
  }
}

void check(cudaError_t error) { gxr::cuda::check(error, "a call of CUDA"); }

class Event {
 public:
  Event() { check(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming)); }
  Event(const Event&) = delete;
  Event& operator=(const Event&) = delete;
  ~Event() { static_cast<void>(cudaEventDestroy(event_)); }
  [[nodiscard]] cudaEvent_t get() const { return event_; }

 private:
  cudaEvent_t event_ = nullptr;
};

}  // namespace

/// Adds `value` to each element by way of memory that its part of the graph allocates.
class OwnMemory final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Tensors of int32");
    interface.output(out_, "out", "As many int32");
    interface.parameter(value_, "value", "What is added").default_value(1).dynamic();
    interface.parameter(frees_, "frees", "Whether it gives the memory back").default_value(true);
    interface.parameter(captures_, "captures", "How often capture() works; 0: always")
        .default_value(0);
  }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "works as a part of a graph only");
  }
  void infer(gxr::ShapeContext& context) override { context.set_output(out_, context.input(in_)); }
  void capture(gxr::CaptureContext& context) override {
    if (++captured_ > *captures_ && *captures_ > 0) {
      throw gxr::Error(gxr::ErrorCode::InvalidData, "the table is broken");
    }
    const Tensor& in = context.input(in_);
    const std::int64_t count = in.shape().dimension(0);
    const cudaStream_t stream = context.stream();
    std::int32_t* memory = nullptr;
    check(cudaMallocAsync(&memory, in.size(), stream));
    add<<<1, kThreads, 0, stream>>>(in.data<std::int32_t>(), nullptr, memory, count, *value_, 0);
    add<<<1, kThreads, 0, stream>>>(memory, nullptr, context.output(out_).data<std::int32_t>(),
                                    count, 0, 0);
    if (*frees_) {
      check(cudaFreeAsync(memory, stream));
    }
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  Parameter<std::int32_t> value_;
  Parameter<bool> frees_;
  Parameter<std::int32_t> captures_;
  std::int32_t captured_ = 0;
};

/// Passes messages on. For each it writes a number, 1 for the first, to a word of device memory, on
/// a stream of its own that nobody knows, and slowly; the next one when the word was read. Its
/// messages do not say that there is such work.
class Aside final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Messages");
    interface.output(out_, "out", "The same messages");
    interface.parameter(work_us_, "work_us", "How long the number takes").default_value(2000);
  }
  void initialize() override {
    stream_.emplace();
    written_.emplace();
    read_.emplace();
    check(cudaMalloc(&word_, sizeof *word_));
    check(cudaMemset(word_, 0, sizeof *word_));
    check(cudaStreamSynchronize(nullptr));
  }
  void tick() override {
    const cudaStream_t stream = stream_->get().handle();
    check(cudaStreamWaitEvent(stream, read_->get()));
    write_late<<<1, 1, 0, stream>>>(word_, static_cast<std::int32_t>(execution_count()),
                                    *work_us_ * 1000);
    check(cudaEventRecord(written_->get(), stream));
    out_.publish(in_.receive());
  }
  void deinitialize() override {
    check(cudaStreamSynchronize(stream_->get().handle()));
    check(cudaFree(word_));
    read_.reset();
    written_.reset();
    stream_.reset();
  }

  [[nodiscard]] const std::int32_t* word() const { return word_; }
  [[nodiscard]] cudaEvent_t written() const { return written_->get(); }
  [[nodiscard]] cudaEvent_t read() const { return read_->get(); }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  Parameter<std::int64_t> work_us_;
  std::optional<gxr::LeasedStream> stream_;
  std::optional<Event> written_;
  std::optional<Event> read_;
  std::int32_t* word_ = nullptr;
};

/// Adds, in a graph, the number that another codelet writes aside, for which it waits by an event.
class AddAside final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Tensors of int32");
    interface.output(out_, "out", "As many int32");
    interface.parameter(aside_, "aside", "Who writes the number");
    interface.parameter(work_us_, "work_us", "How long it takes").default_value(4000);
  }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "works as a part of a graph only");
  }
  void infer(gxr::ShapeContext& context) override { context.set_output(out_, context.input(in_)); }
  void capture(gxr::CaptureContext& context) override {
    const Tensor& in = context.input(in_);
    const cudaStream_t stream = context.stream();
    check(cudaStreamWaitEvent(stream, aside_->written(), cudaEventWaitExternal));
    add_word<<<1, kThreads, 0, stream>>>(in.data<std::int32_t>(),
                                         context.output(out_).data<std::int32_t>(),
                                         in.shape().dimension(0), aside_->word(), *work_us_ * 1000);
    check(cudaEventRecordWithFlags(aside_->read(), stream, cudaEventRecordExternal));
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  Parameter<Handle<Aside>> aside_;
  Parameter<std::int64_t> work_us_;
};

void add_nodes(gxr::Extension& extension) {
  extension.add<OwnMemory>("Adds by way of memory of its own nodes");
  extension.add<Aside>("Writes numbers on a stream that nobody knows");
  extension.add<AddAside>("Adds a number when an event says that it is there");
}

}  // namespace gpu

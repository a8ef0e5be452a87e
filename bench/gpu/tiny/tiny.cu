// Chains of operators with the kernels of bench/gpu/reference, one each.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>

#include "../bridge/marks.hpp"
#include "device_array.cuh"
#include "gxr/cuda/streams.hpp"
#include "gxr/gxr.hpp"
#include "kernels.cuh"

namespace tiny {

using gxr::Error;
using gxr::ErrorCode;
using gxr::Handle;
using gxr::Interface;
using gxr::Message;
using gxr::Parameter;
using gxr::Tensor;

/// An operator of one kernel.
class Kernel : public gxr::cuda::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    Codelet::declare(interface);
    interface.parameter(pool_, "pool", "Gives memory for results outside of a graph").optional();
    interface
        .parameter(dependent_, "dependent",
                   "Whether it is launched before the kernel in front has ended")
        .default_value(true);
  }
  [[nodiscard]] gxr::GraphTraits graph_traits() const override {
    gxr::GraphTraits traits;
    traits.dependent_launch = *dependent_;
    traits.repeatable = keeps_nothing();
    return traits;
  }

 protected:
  /// Is its output all that it writes?
  [[nodiscard]] virtual bool keeps_nothing() const { return false; }
  [[nodiscard]] bool is_dependent() const { return *dependent_; }
  [[nodiscard]] int device() { return context().graph_device(*this).value_or(streams().device()); }
  void launch(gxr::cuda::Stream stream, const std::int32_t* in, std::int32_t* out,
              const Ends& ends) const {
    // Only the first kernel of a chain writes there, and that has no input.
    launch_step(const_cast<std::int32_t*>(in), out, ends, *dependent_, stream);
  }
  Tensor& result(Message& message, const gxr::Shape& shape) const {
    if (!pool_.has_value()) {
      throw Error(ErrorCode::InvalidParameter, "needs 'pool' outside of a CUDA graph");
    }
    auto& tensor = message.add<Tensor>();
    tensor.allocate<std::int32_t>(**pool_, shape, gxr::MemoryStorageType::Device);
    return tensor;
  }
  /// What ticks put on streams has ended. In a graph there were none, and stop() comes behind it.
  void finish_ticks() const {
    if (execution_count() > 0) {
      gxr::cuda::check(cudaDeviceSynchronize(), "cudaDeviceSynchronize");
    }
  }

  static gxr::TensorSpec row() { return {{kElements}, gxr::ElementType::Int32, 0, {}}; }
  static void require_row(const gxr::TensorSpec& spec) {
    if (spec.type != gxr::ElementType::Int32 || !(spec.shape == row().shape)) {
      throw Error(ErrorCode::InvalidArgument,
                  "takes " + row().to_string() + ", not " + spec.to_string());
    }
  }

 private:
  Parameter<Handle<gxr::Allocator>> pool_;
  Parameter<bool> dependent_;
};

/// Counts iterations on the GPU.
class Counter {
 public:
  void start(int device) {
    if (!count_) {
      count_.emplace(device, kElements);
    }
    count_->clear();
  }
  void release() { count_.reset(); }
  [[nodiscard]] std::int32_t* data() const { return count_->data(); }
  /// How many there were. Throws Error(InvalidData) when threads counted differently.
  [[nodiscard]] std::int32_t read() const {
    const std::vector<std::int32_t> counts = count_->read();
    if (std::ranges::count(counts, counts.front()) != kElements) {
      throw Error(ErrorCode::InvalidData, "not all threads ran equally often");
    }
    return counts.front();
  }

 private:
  std::optional<DeviceArray<std::int32_t>> count_;
};

/// Adds up what the last kernel of a chain wrote, and says whether it is right.
class Checksum {
 public:
  void declare(Interface& interface) {
    interface
        .parameter(iterations_, "iterations", "How many there must have been in the end; 0: any")
        .default_value(0)
        .minimum(0);
  }
  void start(int device) {
    if (!sum_) {
      sum_.emplace(device, kElements);
      last_.emplace(device, kElements);
    }
    sum_->clear();
    last_->clear();
  }
  void release() {
    sum_.reset();
    last_.reset();
  }
  [[nodiscard]] std::int32_t* last() const { return last_->data(); }
  [[nodiscard]] unsigned long long* sum() const { return sum_->data(); }

  /// Number of iterations of a chain of `kernels`. Throws Error(InvalidData) unless each kernel
  /// ran once in each, in order.
  [[nodiscard]] std::int64_t check(std::int64_t kernels) const {
    const std::vector<std::int32_t> last = last_->read();
    const std::vector<unsigned long long> sum = sum_->read();
    const std::int64_t n = last.front() == 0 ? 0 : last.front() - kernels;
    if (*iterations_ != 0 && n != *iterations_) {
      throw Error(ErrorCode::InvalidData,
                  std::to_string(n) + " iterations, not " + std::to_string(*iterations_));
    }
    const auto wanted = static_cast<unsigned long long>(n * (n + 1) / 2 + n * kernels);
    for (std::size_t i = 0; i < last.size(); ++i) {
      if (last[i] != last.front() || sum[i] != wanted) {
        throw Error(ErrorCode::InvalidData,
                    "element " + std::to_string(i) + ": last " + std::to_string(last[i]) +
                        ", sum " + std::to_string(sum[i]) + ", which should be " +
                        std::to_string(last.front()) + " and " + std::to_string(wanted));
      }
    }
    return n;
  }

 private:
  Parameter<std::int64_t> iterations_;
  std::optional<DeviceArray<unsigned long long>> sum_;
  std::optional<DeviceArray<std::int32_t>> last_;
};

/// The first kernel of a chain.
class Source final : public Kernel {
 public:
  void declare(Interface& interface) override {
    Kernel::declare(interface);
    interface.output(out_, "out", "Numbers: how often it ran, and 1 more");
  }
  void start() override { counter_.start(device()); }
  void enqueue(gxr::cuda::Streams& streams) override {
    Message message = context().new_message();
    const gxr::cuda::Stream stream = streams.stream();
    auto* const out = result(message, row().shape).data<std::int32_t>();
    launch(stream, nullptr, out, {counter_.data(), nullptr});
    out_.publish(message);
  }
  void infer(gxr::ShapeContext& context) override { context.set_output(out_, row()); }
  void capture(gxr::CaptureContext& context) override {
    auto* const out = context.output(out_).data<std::int32_t>();
    launch(context.stream(), nullptr, out, {counter_.data(), nullptr});
  }
  void stop() override {
    finish_ticks();
    static_cast<void>(counter_.read());
    Kernel::stop();
  }
  void deinitialize() override { counter_.release(); }

 private:
  gxr::Output<> out_;
  Counter counter_;
};

/// The first kernel of a chain that a program drives: writes the iteration's number.
class Number final : public Kernel {
 public:
  void declare(Interface& interface) override {
    Kernel::declare(interface);
    interface.output(out_, "out", "The iteration's number, from 1").optional();
  }
  void enqueue(gxr::cuda::Streams& /*streams*/) override {
    throw Error(ErrorCode::NotSupported, "works as a part of a CUDA graph only");
  }
  void infer(gxr::ShapeContext& context) override {
    if (out_) {
      context.set_output(out_, row());
    }
    context.set_scratch(out_ ? 0 : row().bytes());
  }
  void capture(gxr::CaptureContext& context) override {
    auto* const out = out_ ? context.output(out_).data<std::int32_t>()
                           : static_cast<std::int32_t*>(context.scratch());
    const auto kernel = is_dependent() ? number<true> : number<false>;
    kernel<<<kBlocks, kThreads, 0, context.stream()>>>(context.iteration(), out);
  }

 protected:
  [[nodiscard]] bool keeps_nothing() const override { return true; }

 private:
  gxr::Output<> out_;
};

/// A kernel in the middle of a chain.
class Step final : public Kernel {
 public:
  void declare(Interface& interface) override {
    Kernel::declare(interface);
    interface.input(in_, "in", "Numbers");
    interface.output(out_, "out", "The same, 1 more each");
  }
  void enqueue(gxr::cuda::Streams& streams) override {
    const Message message = in_.receive();
    Message sum = context().new_message();
    const gxr::cuda::Stream stream = streams.stream();
    auto* const out = result(sum, row().shape).data<std::int32_t>();
    launch(stream, message.get<Tensor>().data<std::int32_t>(), out, {});
    out_.publish(sum);
  }
  void infer(gxr::ShapeContext& context) override {
    require_row(context.input(in_));
    context.set_output(out_, row());
  }
  void capture(gxr::CaptureContext& context) override {
    auto* const out = context.output(out_).data<std::int32_t>();
    launch(context.stream(), context.input(in_).data<std::int32_t>(), out, {});
  }

 protected:
  [[nodiscard]] bool keeps_nothing() const override { return true; }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
};

/// The last kernel of a chain.
class Sink final : public Kernel {
 public:
  void declare(Interface& interface) override {
    Kernel::declare(interface);
    interface.input(in_, "in", "Numbers");
    interface.parameter(kernels_, "kernels", "Of the chain, with its first and this one")
        .minimum(2);
    checksum_.declare(interface);
  }
  void start() override { checksum_.start(device()); }
  void enqueue(gxr::cuda::Streams& streams) override {
    const Message message = in_.receive();
    launch(streams.stream(), message.get<Tensor>().data<std::int32_t>(), checksum_.last(),
           {nullptr, checksum_.sum()});
  }
  void infer(gxr::ShapeContext& context) override { require_row(context.input(in_)); }
  void capture(gxr::CaptureContext& context) override {
    launch(context.stream(), context.input(in_).data<std::int32_t>(), checksum_.last(),
           {nullptr, checksum_.sum()});
  }
  void stop() override {
    finish_ticks();
    log_info(std::to_string(checksum_.check(*kernels_)) + " iterations, all right");
    Kernel::stop();
  }
  void deinitialize() override { checksum_.release(); }

 private:
  gxr::Input<> in_;
  Parameter<std::int64_t> kernels_;
  Checksum checksum_;
};

/// A chain of one kernel.
class Whole final : public Kernel {
 public:
  void declare(Interface& interface) override {
    Kernel::declare(interface);
    checksum_.declare(interface);
  }
  void start() override {
    counter_.start(device());
    checksum_.start(device());
  }
  void enqueue(gxr::cuda::Streams& streams) override { put_on(streams.stream()); }
  void infer(gxr::ShapeContext& /*context*/) override {}
  void capture(gxr::CaptureContext& context) override { put_on(context.stream()); }
  void stop() override {
    finish_ticks();
    const std::int64_t iterations = checksum_.check(1);
    if (iterations != counter_.read()) {
      throw Error(ErrorCode::InvalidData, "began other iterations than it ended");
    }
    log_info(std::to_string(iterations) + " iterations, all right");
    Kernel::stop();
  }
  void deinitialize() override {
    counter_.release();
    checksum_.release();
  }

 private:
  void put_on(gxr::cuda::Stream stream) const {
    launch(stream, nullptr, checksum_.last(), {counter_.data(), checksum_.sum()});
  }

  Counter counter_;
  Checksum checksum_;
};

/// Adds 1 to numbers that come from somewhere and go somewhere.
class Increment final : public Kernel {
 public:
  void declare(Interface& interface) override {
    Kernel::declare(interface);
    interface.input(in_, "in", "Numbers, int32");
    interface.output(out_, "out", "The same, 1 more each");
  }
  void enqueue(gxr::cuda::Streams& streams) override {
    const Message message = in_.receive();
    Message sum = context().new_message();
    const gxr::cuda::Stream stream = streams.stream();
    const auto& in = message.get<Tensor>();
    put_on(stream, in, result(sum, in.shape()));
    out_.publish(sum);
  }
  void infer(gxr::ShapeContext& context) override {
    const gxr::TensorSpec& spec = context.input(in_);
    if (spec.type != gxr::ElementType::Int32) {
      throw Error(ErrorCode::InvalidArgument, "adds to int32, not to " + spec.to_string());
    }
    context.set_output(out_, spec);
  }
  void capture(gxr::CaptureContext& context) override {
    put_on(context.stream(), context.input(in_), context.output(out_));
  }

 protected:
  [[nodiscard]] bool keeps_nothing() const override { return true; }

 private:
  void put_on(gxr::cuda::Stream stream, const Tensor& in, Tensor& out) const {
    const auto count = static_cast<std::int64_t>(in.element_count());
    const auto kernel = is_dependent() ? increment<true> : increment<false>;
    kernel<<<blocks_for(count), kThreads, 0, stream>>>(in.data<std::int32_t>(),
                                                       out.data<std::int32_t>(), count);
  }

  gxr::Input<> in_;
  gxr::Output<> out_;
};

/// Finds an input of another operator whenever that has worked on the last one.
class Look final : public Kernel {
 public:
  void enqueue(gxr::cuda::Streams& /*streams*/) override {
    throw Error(ErrorCode::NotSupported, "looks as a part of a CUDA graph only");
  }
  void infer(gxr::ShapeContext& /*context*/) override {}
  void capture(gxr::CaptureContext& context) override {
    const auto kernel = is_dependent() ? look<true> : look<false>;
    kernel<<<1, 1, 0, context.stream()>>>(context.doorbell().rung, context.doorbell().taken);
  }
};

/// Says of a large tensor what it is told apart by.
class Marks final : public Kernel {
 public:
  void declare(Interface& interface) override {
    Kernel::declare(interface);
    interface.input(in_, "in", "Numbers, int32, with the marks of a bridge::Feeder");
    interface.output(out_, "out", "The marks");
  }
  void enqueue(gxr::cuda::Streams& streams) override {
    const Message message = in_.receive();
    Message found = context().new_message();
    const gxr::cuda::Stream stream = streams.stream();
    put_on(stream, message.get<Tensor>(), result(found, {kCount}));
    out_.publish(found);
  }
  void infer(gxr::ShapeContext& context) override {
    const gxr::TensorSpec& spec = context.input(in_);
    if (spec.type != gxr::ElementType::Int32 || spec.shape.element_count() < kCount) {
      throw Error(ErrorCode::InvalidArgument, "takes int32 with marks, not " + spec.to_string());
    }
    context.set_output(out_, {{kCount}, gxr::ElementType::Int32, 0, {}});
  }
  void capture(gxr::CaptureContext& context) override {
    put_on(context.stream(), context.input(in_), context.output(out_));
  }

 protected:
  [[nodiscard]] bool keeps_nothing() const override { return true; }

 private:
  static constexpr std::int32_t kCount = bridge::kMarks;
  void put_on(gxr::cuda::Stream stream, const Tensor& in, Tensor& out) const {
    const auto count = static_cast<std::int64_t>(in.element_count());
    const auto kernel = is_dependent() ? marks<true> : marks<false>;
    kernel<<<1, kCount, 0, stream>>>(in.data<std::int32_t>(), out.data<std::int32_t>(), count);
  }

  gxr::Input<> in_;
  gxr::Output<> out_;
};

}  // namespace tiny

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<tiny::Source>("The first kernel of a chain: counts");
  extension.add<tiny::Number>("Writes the number of the iteration");
  extension.add<tiny::Step>("A kernel in the middle of a chain: adds 1");
  extension.add<tiny::Sink>("The last kernel of a chain: adds up, and checks the sum in the end");
  extension.add<tiny::Whole>("A chain of one kernel: counts, adds up, checks");
  extension.add<tiny::Look>("Finds an input of another operator, always");
  extension.add<tiny::Increment>("Adds 1 to tensors of any size");
  extension.add<tiny::Marks>("The marks of large tensors");
}

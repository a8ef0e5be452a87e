// Codelets whose kernels fill tensors of int32 on streams, and what goes wrong there.

#include <cstdint>
#include <optional>
#include <string>

#include <cuda_runtime.h>

#include "gpu.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/cuda/streams.hpp"
#include "gxr/device_runtime.hpp"
#include "kernels.cuh"

namespace gpu {

using gxr::Handle;
using gxr::Interface;
using gxr::Message;
using gxr::Parameter;
using gxr::Tensor;

namespace {

__global__ void stop_with_trap(std::int64_t ns) {
  spend(ns);
  asm volatile("trap;");
}

constexpr int kThreads = 256;

}  // namespace

/// What the codelets here have in common.
class Worker : public gxr::cuda::Codelet {
 public:
  void declare(Interface& interface) override {
    Codelet::declare(interface);
    interface.parameter(pool_, "pool", "Gives memory for the results");
    interface.parameter(work_us_, "work_us", "How long each kernel takes").default_value(0);
    interface.parameter(blocks_, "blocks", "Blocks of each kernel").default_value(2);
    interface
        .parameter(policy_, "policy", "Whose stream a tick works on",
                   "0: TakeOver. 1: Own. 2: Input.")
        .default_value(0);
  }
  void initialize() override {
    Codelet::initialize();
    streams().set_policy(static_cast<gxr::cuda::Streams::Policy>(*policy_));
  }

 protected:
  Tensor& result(Message& message, std::int32_t count) {
    auto& tensor = message.add<Tensor>();
    tensor.allocate<std::int32_t>(*pool_.get().get(), {count}, gxr::MemoryStorageType::Device);
    return tensor;
  }
  [[nodiscard]] std::int64_t work_ns() const { return *work_us_ * 1000; }
  [[nodiscard]] unsigned blocks() const { return static_cast<unsigned>(*blocks_); }

 private:
  Parameter<Handle<gxr::Allocator>> pool_;
  Parameter<std::int64_t> work_us_;
  Parameter<std::int32_t> blocks_;
  Parameter<std::int32_t> policy_;
};

/// Publishes tensors full of 1, then of 2, and so on.
class Count final : public Worker, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    Worker::declare(interface);
    interface.output(out_, "out", "Tensors");
    interface.parameter(size_, "size", "Elements of each").default_value(1024);
    interface.parameter(named_, "named", "Whether a stream of its own name writes them")
        .default_value(false);
  }
  void enqueue(gxr::cuda::Streams& streams) override {
    Message message = context().new_message();
    const gxr::cuda::Stream stream = *named_ ? streams.named("writer") : streams.stream();
    if (*named_) {
      streams.join({streams.stream()}, stream);  // behind the memory's earlier users
      streams.set_stream(out_, stream);
    }
    Tensor& tensor = result(message, *size_);
    if (*named_) {
      streams.join({streams.stream()}, stream);
      streams.uses(tensor, stream);
    }
    fill<<<blocks(), kThreads, 0, stream>>>(tensor.data<std::int32_t>(), *size_,
                                            static_cast<std::int32_t>(execution_count()),
                                            work_ns());
    out_.publish(message);
  }
  void infer(gxr::ShapeContext& context) override {
    context.set_output(out_, {{*size_}, gxr::ElementType::Int32, 0, {}});
  }
  void capture(gxr::CaptureContext& context) override {
    fill_number<<<blocks(), kThreads, 0, context.stream()>>>(
        context.output(out_).data<std::int32_t>(), *size_, context.iteration(), 1);
  }
  [[nodiscard]] gxr::GraphTraits graph_traits() const override {
    gxr::GraphTraits traits;
    traits.repeatable = true;
    return traits;
  }

 private:
  gxr::Output<> out_;
  Parameter<std::int32_t> size_;
  Parameter<bool> named_;
};

/// Adds `value` to each element, and the other input's, if there is one.
class Add final : public Worker, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    Worker::declare(interface);
    interface.input(in_, "in", "Tensors");
    interface.input(other_, "other", "More tensors of the same size").optional();
    interface.output(out_, "out", "Sums; left out: they are not passed on").optional();
    interface.parameter(value_, "value", "What is added").default_value(1).dynamic();
    interface
        .parameter(in_memory_, "in_memory", "Whether the kernels of a graph read 'value' from memory")
        .default_value(false);
    interface
        .parameter(kept_in_l2_, "kept_in_l2", "What the L2 cache is asked to keep",
                   "0: nothing. 1: the scratch. 2: the output.")
        .default_value(0);
    interface.parameter(passes_, "passes", "Whether it passes 'in' on while it is off")
        .default_value(false);
  }
  void enqueue(gxr::cuda::Streams& streams) override {
    const Message message = in_.receive();
    const Message other = other_ ? other_.receive() : Message();
    const auto& a = message.get<Tensor>();
    const std::int32_t* b = other ? other.get<Tensor>().data<std::int32_t>() : nullptr;
    Message sum = context().new_message();
    const std::int32_t size = a.shape().dimension(0);
    Tensor& tensor = result(sum, size);
    add<<<blocks(), kThreads, 0, streams.stream()>>>(
        a.data<std::int32_t>(), b, tensor.data<std::int32_t>(), size, *value_, work_ns());
    if (out_) {
      out_.publish(sum);
    }
  }
  void infer(gxr::ShapeContext& context) override {
    const gxr::TensorSpec& spec = context.input(in_);
    if (spec.type != gxr::ElementType::Int32 || spec.shape.rank() != 1) {
      throw gxr::Error(gxr::ErrorCode::InvalidArgument,
                       "adds rows of int32, not " + spec.to_string());
    }
    context.set_scratch(out_ ? 0 : spec.bytes());
    if (out_) {
      context.set_output(out_, spec);
    }
    if (*in_memory_) {
      context.set_parameters_to(*value_);
    }
  }
  void capture(gxr::CaptureContext& context) override {
    const Tensor& a = context.input(in_);
    const std::int32_t* b = other_ ? context.input(other_).data<std::int32_t>() : nullptr;
    auto* const sum = out_ ? context.output(out_).data<std::int32_t>()
                           : static_cast<std::int32_t*>(context.scratch());
    const auto* const value = context.parameters<std::int32_t>();
    add<<<blocks(), kThreads, 0, context.stream()>>>(
        a.data<std::int32_t>(), b, sum, a.shape().dimension(0), *value_, work_ns(), value);
  }
  [[nodiscard]] gxr::GraphTraits graph_traits() const override {
    gxr::GraphTraits traits;
    traits.repeatable = true;
    traits.kept_in_l2 = static_cast<gxr::KeptInL2>(*kept_in_l2_);
    traits.pass_through = *passes_;
    return traits;
  }

 private:
  gxr::Input<> in_;
  gxr::Input<> other_;
  gxr::Output<> out_;
  Parameter<std::int32_t> value_;
  Parameter<bool> in_memory_;
  Parameter<std::int32_t> kept_in_l2_;
  Parameter<bool> passes_;
};

/// Passes messages on; its kernel of message `at` fails, `work_us` after it began.
class Fault final : public gxr::cuda::Codelet {
 public:
  void declare(Interface& interface) override {
    Codelet::declare(interface);
    interface.input(in_, "in", "Messages");
    interface.output(out_, "out", "The same messages");
    interface.parameter(at_, "at", "Which message's kernel fails, from 1").default_value(1);
    interface.parameter(work_us_, "work_us", "How long it takes before").default_value(0);
  }
  void enqueue(gxr::cuda::Streams& streams) override {
    Message message = in_.receive();
    if (execution_count() == *at_) {
      stop_with_trap<<<1, 1, 0, streams.stream()>>>(*work_us_ * 1000);
    }
    out_.publish(message);
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  Parameter<std::int64_t> at_;
  Parameter<std::int64_t> work_us_;
};

/// Launches a kernel that no device can run, and does not look whether that worked.
class BadLaunch final : public gxr::cuda::Codelet {
  void enqueue(gxr::cuda::Streams& streams) override {
    fill<<<1, 4096, 0, streams.stream()>>>(nullptr, 0, 0, 0);
  }
};

/// Launches a kernel on the legacy default stream, and does not look whether that worked.
class LegacyStream final : public gxr::cuda::Codelet {
  void enqueue(gxr::cuda::Streams& /*streams*/) override { fill<<<1, 1>>>(nullptr, 0, 0, 0); }
};

/// Gives each message a CudaEvent `done` and a CudaBuffer of work that takes `work_us`.
class Mark final : public Worker {
 public:
  void declare(Interface& interface) override {
    Worker::declare(interface);
    interface.output(out_, "out", "Messages");
  }
  void enqueue(gxr::cuda::Streams& streams) override {
    Message message = context().new_message();
    Tensor& tensor = result(message, 16);
    const gxr::cuda::Stream stream = streams.stream();
    fill<<<1, kThreads, 0, stream>>>(tensor.data<std::int32_t>(), 16, 7, work_ns());
    const gxr::DeviceWork work = streams.event(stream);
    message.add<gxr::cuda::CudaEvent>("done").work = work;
    message.add<gxr::cuda::CudaBuffer>() = {tensor.pointer(), tensor.size(), work};
    out_.publish(message);
  }

 private:
  gxr::Output<> out_;
};

/// A codelet that knows nothing of gxr's streams: its messages say in a CudaStreamId who writes
/// them.
class Foreign final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override {
    interface.output(out_, "out", "Messages");
    interface.parameter(pool_, "pool", "Gives memory for the results");
    interface.parameter(work_us_, "work_us", "How long each kernel takes").default_value(0);
  }
  void start() override { stream_.emplace(); }
  void tick() override {
    Message message = context().new_message();
    auto& tensor = message.add<Tensor>();
    tensor.allocate<std::int32_t>(*pool_.get().get(), {16}, gxr::MemoryStorageType::Device);
    tensor.add_device_user(stream_->get());
    fill<<<1, kThreads, 0, stream_->get().handle()>>>(tensor.data<std::int32_t>(), 16, 7,
                                                      *work_us_ * 1000);
    message.add<gxr::cuda::CudaStreamId>().stream = &stream_->get();
    out_.publish(message);
  }
  void stop() override { stream_.reset(); }

 private:
  gxr::Output<> out_;
  Parameter<Handle<gxr::Allocator>> pool_;
  Parameter<std::int64_t> work_us_;
  std::optional<gxr::LeasedStream> stream_;
};

/// Fails when work behind a message is not done: for what a scheduling term should have waited
/// for.
class Done final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override { interface.input(in_, "in", "Messages"); }
  void tick() override {
    while (in_->size() > 0) {
      const Message message = in_->receive_unfinished();
      const gxr::DeviceWork work = message.device_work();
      if (work && !work.stream->is_done(work.number)) {
        throw gxr::Error(gxr::ErrorCode::InvalidState, "the work is not done");
      }
      ++done_;
    }
  }
  void stop() override { log_info(std::to_string(done_) + " messages, all done"); }

 private:
  gxr::Input<> in_;
  int done_ = 0;
};

/// Takes messages and looks at nothing.
class Drop final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override { interface.input(in_, "in", "Messages"); }
  void tick() override { in_->receive_unfinished(); }

 private:
  gxr::Input<> in_;
};

void add_streams(gxr::Extension& extension) {
  extension.add<Count>("Publishes tensors full of 1, 2, …");
  extension.add<Add>("Adds to tensors");
  extension.add<Fault>("Its kernel fails");
  extension.add<BadLaunch>("Its launch fails");
  extension.add<LegacyStream>("Uses the legacy default stream");
  extension.add<Mark>("Messages with events and buffers");
  extension.add<Foreign>("Messages with stream ids");
  extension.add<Done>("Fails on work that is not done");
  extension.add<Drop>("Takes messages and looks at nothing");
}

}  // namespace gpu

// Tensors of int32 that kernels fill.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <optional>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <cuda_runtime.h>

#include "gxr/cuda/check.hpp"
#include "gxr/cuda/data.hpp"
#include "gxr/cuda/streams.hpp"
#include "gxr/device_runtime.hpp"
#include "gxr/gxr.hpp"
#include "gxr/host_copy.hpp"
#include "gxr/timestamp.hpp"
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

/// Counts the elements that are not first + step * iteration.
__global__ void compare(const std::int32_t* in, std::int64_t count, const std::uint64_t* iteration,
                        std::int64_t first, std::int64_t step, unsigned long long* wrong) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  const auto wanted =
      static_cast<std::int32_t>(first + step * static_cast<std::int64_t>(*iteration));
  if (i < count && in[i] != wanted) {
    atomicAdd(wrong, 1ULL);
  }
  if (i == 0) {
    atomicAdd(wrong + 1, 1ULL);
  }
}

/// Marks the SM of each block with 1, and takes so long that the blocks spread over all SMs.
__global__ void mark_sm(char* marks, unsigned count) {
  spend(50'000);
  std::uint32_t sm = 0;
  asm volatile("mov.u32 %0, %%smid;" : "=r"(sm));
  if (threadIdx.x == 0 && sm < count) {
    marks[sm] = 1;
  }
}

/// Takes very long in iteration `at`.
__global__ void hang(const std::uint64_t* iteration, std::uint64_t at, std::int64_t ns) {
  if (*iteration == at) {
    spend(ns);
  }
}

/// Adds `value` to each element, and says where it found them.
__global__ void add_and_look(const std::int32_t* in, std::int32_t* out, std::int64_t count,
                             std::int32_t value, const void** seen) {
  const std::int64_t i = blockIdx.x * std::int64_t{blockDim.x} + threadIdx.x;
  if (i < count) {
    out[i] = in[i] + value;
  }
  if (i == 0) {
    seen[0] = in;
    seen[1] = out;
  }
}

/// Writes where nobody may when it is iteration `at`.
__global__ void write_astray(const std::uint64_t* iteration, std::uint64_t at) {
  if (*iteration == at) {
    *reinterpret_cast<volatile int*>(8) = 1;
  }
}

}  // namespace

/// What the codelets here have in common.
class Worker : public gxr::cuda::Codelet {
 public:
  void declare(Interface& interface) override {
    Codelet::declare(interface);
    interface.parameter(pool_, "pool", "Gives memory for the results");
    interface.parameter(work_us_, "work_us", "How long each kernel takes").default_value(0);
    interface.parameter(blocks_, "blocks", "Blocks of each kernel").default_value(2);
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
      streams.set_stream(*out_.get().get(), stream);
    }
    Tensor& tensor = result(message, *size_);
    if (*named_) {
      streams.join({streams.stream()}, stream);
      streams.uses(tensor, stream);
    }
    fill<<<blocks(), kThreads, 0, stream>>>(tensor.data<std::int32_t>(), *size_,
                                            static_cast<std::int32_t>(execution_count()),
                                            work_ns());
    out_->publish(message);
  }
  void infer(gxr::ShapeContext& context) override {
    context.set_output(**out_, {{*size_}, gxr::ElementType::Int32, 0, {}});
  }
  void capture(gxr::CaptureContext& context) override {
    fill_number<<<blocks(), kThreads, 0, context.stream()>>>(
        context.output(**out_).data<std::int32_t>(), *size_, context.iteration(), 1);
  }
  [[nodiscard]] gxr::GraphTraits graph_traits() const override {
    gxr::GraphTraits traits;
    traits.repeatable = true;
    return traits;
  }

 private:
  Parameter<Handle<gxr::Transmitter>> out_;
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
    interface.parameter(value_, "value", "What is added").default_value(1);
    interface
        .parameter(kept_in_l2_, "kept_in_l2", "What the L2 cache is asked to keep",
                   "0: nothing. 1: the scratch. 2: the output.")
        .default_value(0);
  }
  void enqueue(gxr::cuda::Streams& streams) override {
    const Message message = in_->receive();
    const Message other = other_.has_value() ? other_->receive() : Message();
    const auto& a = message.get<Tensor>();
    const std::int32_t* b = other ? other.get<Tensor>().data<std::int32_t>() : nullptr;
    Message sum = context().new_message();
    const std::int32_t size = a.shape().dimension(0);
    Tensor& tensor = result(sum, size);
    add<<<blocks(), kThreads, 0, streams.stream()>>>(
        a.data<std::int32_t>(), b, tensor.data<std::int32_t>(), size, *value_, work_ns());
    if (out_.has_value()) {
      out_->publish(sum);
    }
  }
  void infer(gxr::ShapeContext& context) override {
    const gxr::TensorSpec& spec = context.input(**in_);
    if (spec.type != gxr::ElementType::Int32 || spec.shape.rank() != 1) {
      throw gxr::Error(gxr::ErrorCode::InvalidArgument,
                       "adds rows of int32, not " + spec.to_string());
    }
    context.set_scratch(out_.has_value() ? 0 : spec.bytes());
    if (out_.has_value()) {
      context.set_output(**out_, spec);
    }
  }
  void capture(gxr::CaptureContext& context) override {
    const Tensor& a = context.input(**in_);
    const std::int32_t* b =
        other_.has_value() ? context.input(**other_).data<std::int32_t>() : nullptr;
    auto* const sum = out_.has_value() ? context.output(**out_).data<std::int32_t>()
                                       : static_cast<std::int32_t*>(context.scratch());
    add<<<blocks(), kThreads, 0, context.stream()>>>(a.data<std::int32_t>(), b, sum,
                                                     a.shape().dimension(0), *value_, work_ns());
  }
  [[nodiscard]] gxr::GraphTraits graph_traits() const override {
    gxr::GraphTraits traits;
    traits.repeatable = true;
    traits.kept_in_l2 = static_cast<gxr::KeptInL2>(*kept_in_l2_);
    return traits;
  }

 private:
  Parameter<Handle<gxr::Receiver>> in_;
  Parameter<Handle<gxr::Receiver>> other_;
  Parameter<Handle<gxr::Transmitter>> out_;
  Parameter<std::int32_t> value_;
  Parameter<std::int32_t> kept_in_l2_;
};

/// Says, as a part of a graph, on how many SMs its kernels ran.
class TallySms final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override { interface.input(in_, "in", "Tensors"); }
  void start() override {
    check(cudaMalloc(&ran_on_, kMostSms));
    check(cudaMemset(ran_on_, 0, kMostSms));
  }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "counts as a part of a graph only");
  }
  void infer(gxr::ShapeContext& context) override { static_cast<void>(context.input(**in_)); }
  void capture(gxr::CaptureContext& context) override {
    mark_sm<<<512, 1024, 0, context.stream()>>>(ran_on_, kMostSms);
  }
  void stop() override {
    std::vector<char> marks(kMostSms);
    check(cudaMemcpy(marks.data(), ran_on_, kMostSms, cudaMemcpyDeviceToHost));
    check(cudaFree(ran_on_));
    log_info("ran on " + std::to_string(std::count(marks.begin(), marks.end(), 1)) + " SMs");
  }

 private:
  static constexpr unsigned kMostSms = 1024;
  static void check(cudaError_t error) { gxr::cuda::check(error, "a call of CUDA"); }

  Parameter<Handle<gxr::Receiver>> in_;
  char* ran_on_ = nullptr;
};

/// Says on the GPU, as a part of a graph, whether the tensors are full of first, first + step, …
class Tally final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Tensors");
    interface.parameter(first_, "first", "What the first is full of").default_value(1);
    interface.parameter(step_, "step", "From one to the next").default_value(1);
    interface.parameter(quiet_, "quiet", "Whether the number of iterations is not logged")
        .default_value(false);
  }
  void start() override {
    check(cudaMalloc(&wrong_, 2 * sizeof(*wrong_)));
    check(cudaMemset(wrong_, 0, 2 * sizeof(*wrong_)));
  }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "counts as a part of a graph only");
  }
  void infer(gxr::ShapeContext& context) override { static_cast<void>(context.input(**in_)); }
  void capture(gxr::CaptureContext& context) override {
    const Tensor& in = context.input(**in_);
    const std::int64_t count = in.shape().dimension(0);
    const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
    compare<<<blocks, kThreads, 0, context.stream()>>>(
        in.data<std::int32_t>(), count, context.iteration(), *first_, *step_, wrong_);
  }
  void stop() override {
    unsigned long long found[2] = {};
    check(cudaMemcpy(found, wrong_, sizeof found, cudaMemcpyDeviceToHost));
    check(cudaFree(wrong_));
    log_info((*quiet_ ? std::string("some") : std::to_string(found[1])) + " iterations, " +
             std::to_string(found[0]) + " elements wrong");
  }

 private:
  static void check(cudaError_t error) { gxr::cuda::check(error, "a call of CUDA"); }

  Parameter<Handle<gxr::Receiver>> in_;
  Parameter<std::int64_t> first_;
  Parameter<std::int64_t> step_;
  Parameter<bool> quiet_;
  unsigned long long* wrong_ = nullptr;
};

/// Publishes, on the CPU, tensors full of 1, then of 2, and so on.
class Feed final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override {
    interface.output(out_, "out", "Tensors");
    interface.parameter(pool_, "pool", "Gives memory for them");
    interface.parameter(size_, "size", "Elements of each").default_value(1024);
    interface.parameter(pinned_, "pinned", "Whether it is page-locked memory").default_value(false);
    interface.parameter(wrong_at_, "wrong_at", "Which one has an element more, from 1")
        .default_value(0);
  }
  void tick() override {
    Message message = context().new_message();
    auto& tensor = message.add<Tensor>();
    const std::int32_t size = *size_ + (execution_count() == *wrong_at_ ? 1 : 0);
    tensor.allocate<std::int32_t>(
        **pool_, {size}, *pinned_ ? gxr::MemoryStorageType::Host : gxr::MemoryStorageType::System);
    std::fill_n(tensor.data<std::int32_t>(), size, static_cast<std::int32_t>(execution_count()));
    message.set_sequence(static_cast<std::uint64_t>(1000 + execution_count()));
    out_->publish(std::move(message), 10 * execution_count());
  }

 private:
  Parameter<Handle<gxr::Transmitter>> out_;
  Parameter<Handle<gxr::Allocator>> pool_;
  Parameter<std::int32_t> size_;
  Parameter<bool> pinned_;
  Parameter<std::int64_t> wrong_at_;
};

/// Says on the CPU whether the tensors are full of first, first + step, …
class Check final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Tensors");
    interface.parameter(first_, "first", "What the first is full of").default_value(1);
    interface.parameter(step_, "step", "From one to the next").default_value(1);
    interface.parameter(quiet_, "quiet", "Whether nothing is logged").default_value(false);
    interface.parameter(fed_, "fed", "Whether time and number are those of a gpu::Feed")
        .default_value(false);
    interface.parameter(wait_us_, "wait_us", "How long it takes for each").default_value(0);
  }
  void tick() override {
    const Message message = in_->receive();
    const auto& tensor = message.get<Tensor>();
    const auto* const time = message.find<gxr::Timestamp>();
    if (*fed_ && (time == nullptr || time->acqtime != 10 * execution_count() ||
                  message.sequence() != static_cast<std::uint64_t>(1000 + execution_count()))) {
      throw gxr::Error(gxr::ErrorCode::InvalidData, "message " + std::to_string(execution_count()) +
                                                        " has another's number " +
                                                        std::to_string(message.sequence()));
    }
    std::this_thread::sleep_for(std::chrono::microseconds(*wait_us_));
    const gxr::HostView view(tensor);
    const auto* values = reinterpret_cast<const std::int32_t*>(view.pointer());
    const auto wanted = static_cast<std::int32_t>(*first_ + *step_ * (execution_count() - 1));
    for (std::uint64_t i = 0; i < tensor.element_count(); ++i) {
      if (values[i] != wanted) {
        throw gxr::Error(gxr::ErrorCode::InvalidData,
                         "message " + std::to_string(execution_count()) + ": element " +
                             std::to_string(i) + " is " + std::to_string(values[i]) + ", not " +
                             std::to_string(wanted));
      }
    }
  }
  void stop() override {
    if (!*quiet_) {
      log_info(std::to_string(execution_count()) + " right");
    }
  }

 private:
  Parameter<Handle<gxr::Receiver>> in_;
  Parameter<std::int64_t> first_;
  Parameter<std::int64_t> step_;
  Parameter<bool> quiet_;
  Parameter<bool> fed_;
  Parameter<std::int64_t> wait_us_;
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
    Message message = in_->receive();
    if (execution_count() == *at_) {
      stop_with_trap<<<1, 1, 0, streams.stream()>>>(*work_us_ * 1000);
    }
    out_->publish(message);
  }

 private:
  Parameter<Handle<gxr::Receiver>> in_;
  Parameter<Handle<gxr::Transmitter>> out_;
  Parameter<std::int64_t> at_;
  Parameter<std::int64_t> work_us_;
};

/// Passes tensors on in a graph, one of whose iterations writes where nobody may.
class Astray final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Tensors");
    interface.output(out_, "out", "The same tensors");
    interface.parameter(at_, "at", "In which iteration, from 0").default_value(0);
    interface.parameter(hangs_s_, "hangs_s", "Instead of writing there it takes so long")
        .default_value(0);
  }
  void tick() override { out_->publish(in_->receive()); }
  void infer(gxr::ShapeContext& context) override {
    context.set_output(**out_, context.input(**in_));
  }
  void capture(gxr::CaptureContext& context) override {
    const Tensor& in = context.input(**in_);
    const auto at = static_cast<std::uint64_t>(*at_);
    if (*hangs_s_ > 0) {
      hang<<<1, 1, 0, context.stream()>>>(context.iteration(), at, *hangs_s_ * 1'000'000'000);
    } else {
      write_astray<<<1, 1, 0, context.stream()>>>(context.iteration(), at);
    }
    add<<<1, kThreads, 0, context.stream()>>>(in.data<std::int32_t>(), nullptr,
                                              context.output(**out_).data<std::int32_t>(),
                                              in.shape().dimension(0), 0, 0);
  }

 private:
  Parameter<Handle<gxr::Receiver>> in_;
  Parameter<Handle<gxr::Transmitter>> out_;
  Parameter<std::int64_t> at_;
  Parameter<std::int64_t> hangs_s_;
};

/// Adds `value` to each element in a graph, whose tensors its device ports declare, and says
/// where its kernel found them.
class Ported final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Tensors of int32");
    interface.output(out_, "out", "As many int32");
    interface.parameter(value_, "value", "What is added").default_value(1);
    interface.parameter(tells_, "tells", "Elements that infer() says it writes; 0: nothing")
        .default_value(0);
    interface.parameter(late_bytes_, "late_bytes", "Bytes it tells its output's port; 0: nothing")
        .default_value(0);
    interface.parameter(own_in_, "own_in", "Bytes it gives its input; 0: none").default_value(0);
    interface.parameter(own_out_, "own_out", "Bytes it gives its output; 0: none").default_value(0);
    interface.parameter(claims_, "claims", "Bytes it says they are; 0: the truth").default_value(0);
    interface.parameter(pinned_, "pinned", "Whether they are the host's").default_value(false);
    interface.parameter(takes_from_, "takes_from", "Whose output's memory its input gets")
        .optional();
  }
  void initialize() override {
    if (*late_bytes_ > 0) {
      gxr::cuda::device_port(**out_)->set_bytes(*late_bytes_);
    }
  }
  void start() override {
    check(cudaMalloc(&seen_, 2 * sizeof(void*)));
    check(cudaMemset(seen_, 0, 2 * sizeof(void*)));
    memory_[0] = takes_from_.has_value() ? takes_from_->memory_[1] : allocate(*own_in_);
    memory_[1] = allocate(*own_out_);
    give(**in_, memory_[0], takes_from_.has_value() ? *takes_from_->own_out_ : *own_in_);
    give(**out_, memory_[1], *own_out_);
  }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "works as a part of a graph only");
  }
  void infer(gxr::ShapeContext& context) override {
    if (*tells_ > 0) {
      context.set_output(**out_, {{*tells_}, gxr::ElementType::Int32, 0, {}});
    }
  }
  void capture(gxr::CaptureContext& context) override {
    const Tensor& in = context.input(**in_);
    const Tensor& out = context.output(**out_);
    const auto count = static_cast<std::int64_t>(out.size() / sizeof(std::int32_t));
    const auto blocks = static_cast<unsigned>((count + kThreads - 1) / kThreads);
    add_and_look<<<blocks, kThreads, 0, context.stream()>>>(
        static_cast<const std::int32_t*>(in.pointer()),
        static_cast<std::int32_t*>(const_cast<void*>(out.pointer())), count, *value_, seen_);
  }
  void stop() override {
    const void* seen[2] = {};
    check(cudaMemcpy(seen, seen_, sizeof seen, cudaMemcpyDeviceToHost));
    check(cudaFree(seen_));
    log_info("in: " + place(seen[0], memory_[0]) + ", out: " + place(seen[1], memory_[1]));
    release(takes_from_.has_value() ? nullptr : memory_[0]);
    release(memory_[1]);
  }

 private:
  static void check(cudaError_t error) { gxr::cuda::check(error, "a call of CUDA"); }
  static std::string place(const void* seen, const void* given) {
    if (seen == nullptr) {
      return "unseen";
    }
    return given == nullptr ? "the graph's" : seen == given ? "its own" : "astray";
  }
  [[nodiscard]] gxr::MemoryStorageType kind() const {
    return *pinned_ ? gxr::MemoryStorageType::Host : gxr::MemoryStorageType::Device;
  }
  void* allocate(std::uint64_t bytes) {
    const int device = context().graph_device(*this).value_or(0);
    return bytes == 0 ? nullptr : gxr::DeviceRuntime::get().allocate(bytes, kind(), device, {});
  }
  void release(void* memory) {
    if (memory != nullptr) {
      gxr::DeviceRuntime::get().free(memory, kind());
    }
  }
  void give(gxr::Queue& port, void* memory, std::uint64_t bytes) {
    if (memory != nullptr) {
      gxr::cuda::device_port(port)->set_pointer(memory, *claims_ > 0 ? *claims_ : bytes);
    }
  }

  Parameter<Handle<gxr::Receiver>> in_;
  Parameter<Handle<gxr::Transmitter>> out_;
  Parameter<std::int32_t> value_;
  Parameter<std::int32_t> tells_;
  Parameter<std::uint64_t> late_bytes_;
  Parameter<std::uint64_t> own_in_;
  Parameter<std::uint64_t> own_out_;
  Parameter<std::uint64_t> claims_;
  Parameter<bool> pinned_;
  Parameter<Handle<Ported>> takes_from_;
  const void** seen_ = nullptr;
  void* memory_[2] = {};
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

/// Passes numbers on, and makes a mistake in capture().
class BadCapture final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Tensors");
    interface.output(out_, "out", "The same tensors");
    interface.parameter(mistake_, "mistake", "What capture() does wrong")
        .default_value("none")
        .choices({{"none", "nothing"},
                  {"nothing", "puts no work on the stream"},
                  {"throw", "throws"},
                  {"malloc", "allocates memory, and does not look whether that worked"},
                  {"synchronize", "waits for the stream"},
                  {"foreign", "uses another stream"},
                  {"unjoined", "forks a stream and does not join it"},
                  {"allocate", "allocates memory by a node"},
                  {"launch", "launches a kernel that no device can run"}});
  }
  void tick() override { out_->publish(in_->receive()); }
  void infer(gxr::ShapeContext& context) override {
    context.set_output(**out_, context.input(**in_));
  }
  void start() override {
    log_info("starts");
    other_.emplace();
  }
  void stop() override {
    log_info("stops");
    other_.reset();
  }
  void capture(gxr::CaptureContext& context) override {
    const Tensor& in = context.input(**in_);
    const Tensor& out = context.output(**out_);
    const cudaStream_t stream = context.stream();
    const auto count = in.shape().dimension(0);
    const std::string& mistake = *mistake_;
    if (mistake == "throw") {
      throw gxr::Error(gxr::ErrorCode::InvalidData, "the table is broken");
    }
    if (mistake == "nothing") {
      return;
    }
    const cudaStream_t other = other_->get().handle();
    if (mistake == "foreign") {
      fill<<<1, kThreads, 0, other>>>(out.data<std::int32_t>(), count, 0, 0);
      return;
    }
    add<<<1, kThreads, 0, stream>>>(in.data<std::int32_t>(), nullptr, out.data<std::int32_t>(),
                                    count, 0, 0);
    if (mistake == "malloc") {
      void* memory = nullptr;
      static_cast<void>(cudaMalloc(&memory, 256));
      static_cast<void>(cudaFree(memory));
    } else if (mistake == "synchronize") {
      static_cast<void>(cudaStreamSynchronize(stream));
    } else if (mistake == "unjoined") {
      cudaEvent_t event = nullptr;
      static_cast<void>(cudaEventCreateWithFlags(&event, cudaEventDisableTiming));
      static_cast<void>(cudaEventRecord(event, stream));
      static_cast<void>(cudaStreamWaitEvent(other, event, 0));
      fill<<<1, 1, 0, other>>>(out.data<std::int32_t>(), 0, 0, 0);
      static_cast<void>(cudaEventDestroy(event));
    } else if (mistake == "allocate") {
      void* memory = nullptr;
      static_cast<void>(cudaMallocAsync(&memory, 256, stream));
      static_cast<void>(cudaFreeAsync(memory, stream));
    } else if (mistake == "launch") {
      fill<<<1, 4096, 0, stream>>>(nullptr, 0, 0, 0);
    }
  }

 private:
  Parameter<Handle<gxr::Receiver>> in_;
  Parameter<Handle<gxr::Transmitter>> out_;
  Parameter<std::string> mistake_;
  std::optional<gxr::LeasedStream> other_;
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
    out_->publish(message);
  }

 private:
  Parameter<Handle<gxr::Transmitter>> out_;
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
    out_->publish(message);
  }
  void stop() override { stream_.reset(); }

 private:
  Parameter<Handle<gxr::Transmitter>> out_;
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
  Parameter<Handle<gxr::Receiver>> in_;
  int done_ = 0;
};

/// Takes messages and looks at nothing.
class Drop final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override { interface.input(in_, "in", "Messages"); }
  void tick() override { in_->receive_unfinished(); }

 private:
  Parameter<Handle<gxr::Receiver>> in_;
};

}  // namespace gpu

extern "C" void gxr_extension(gxr::Extension& extension) {
  extension.add<gpu::Count>("Publishes tensors full of 1, 2, …");
  extension.add<gpu::Add>("Adds to tensors");
  extension.add<gpu::Check>("Says whether tensors are right");
  extension.add<gpu::Tally>("Says in a graph whether tensors are right");
  extension.add<gpu::TallySms>("Says in a graph on how many SMs it runs");
  extension.add<gpu::Feed>("Publishes tensors of the CPU full of 1, 2, …");
  extension.add<gpu::Astray>("Writes where nobody may");
  extension.add<gpu::Fault>("Its kernel fails");
  extension.add<gpu::BadLaunch>("Its launch fails");
  extension.add<gpu::LegacyStream>("Uses the legacy default stream");
  extension.add<gpu::BadCapture>("Makes mistakes in capture()");
  extension.add<gpu::Ported>("Says where its tensors lie");
  extension.add<gpu::Foreign>("Messages with stream ids");
  extension.add<gpu::Mark>("Messages with events and buffers");
  extension.add<gpu::Drop>("Takes messages and looks at nothing");
  extension.add<gpu::Done>("Fails on work that is not done");
}

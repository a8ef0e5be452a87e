// Operators for CUDA graphs alone, and what goes wrong there.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

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

/// Counts in `found` the new numbers and those that are wrong: tensors that have several, and what
/// is less than before or more than `ahead` of the iteration. 0 is none.
__global__ void follow(const std::int32_t* in, std::int64_t count, const std::uint64_t* iteration,
                       std::int64_t ahead, std::int64_t* last, unsigned long long* found) {
  bool torn = false;
  for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) {
    torn = torn || in[i] != in[0];
  }
  torn = __syncthreads_or(torn ? 1 : 0) != 0;
  if (threadIdx.x == 0 && (torn || in[0] != *last)) {
    const bool wrong =
        torn || in[0] < *last || in[0] > static_cast<std::int64_t>(*iteration) + ahead;
    ++found[0];
    found[1] += wrong ? 1 : 0;
    *last = in[0];
  }
}

/// Traps when it is iteration `at`.
__global__ void trap(const std::uint64_t* iteration, std::uint64_t at) {
  if (*iteration == at) {
    __trap();
  }
}

/// Writes where nobody may when it is iteration `at`.
__global__ void write_astray(const std::uint64_t* iteration, std::uint64_t at) {
  if (*iteration == at) {
    *reinterpret_cast<volatile int*>(8) = 1;
  }
}

}  // namespace

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
  void infer(gxr::ShapeContext& context) override { static_cast<void>(context.input(in_)); }
  void capture(gxr::CaptureContext& context) override {
    const Tensor& in = context.input(in_);
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

  gxr::Input<> in_;
  Parameter<std::int64_t> first_;
  Parameter<std::int64_t> step_;
  Parameter<bool> quiet_;
  unsigned long long* wrong_ = nullptr;
};

/// Says on the GPU, as a part of a graph, whether what tensors are full of only grows.
class Watch final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Tensors; one of zeros does not count");
    interface.parameter(ahead_, "ahead", "The greatest number, less that of the iteration");
  }
  void start() override {
    check(cudaMalloc(&found_, 3 * sizeof(*found_)));
    check(cudaMemset(found_, 0, 3 * sizeof(*found_)));
  }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "watches as a part of a graph only");
  }
  void infer(gxr::ShapeContext& context) override { static_cast<void>(context.input(in_)); }
  void capture(gxr::CaptureContext& context) override {
    const Tensor& in = context.input(in_);
    follow<<<1, kThreads, 0, context.stream()>>>(
        in.data<std::int32_t>(), in.shape().dimension(0), context.iteration(), *ahead_,
        reinterpret_cast<std::int64_t*>(found_ + 2), found_);
  }
  void stop() override {
    unsigned long long found[2] = {};
    check(cudaMemcpy(found, found_, sizeof found, cudaMemcpyDeviceToHost));
    check(cudaFree(found_));
    log_info(std::to_string(found[0]) + " new numbers, " + std::to_string(found[1]) + " wrong");
  }

 private:
  static void check(cudaError_t error) { gxr::cuda::check(error, "a call of CUDA"); }

  gxr::Input<> in_;
  Parameter<std::int64_t> ahead_;
  unsigned long long* found_ = nullptr;
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
  void infer(gxr::ShapeContext& context) override { static_cast<void>(context.input(in_)); }
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

  gxr::Input<> in_;
  char* ran_on_ = nullptr;
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
    interface.parameter(traps_, "traps", "Instead of writing there it traps").default_value(false);
  }
  void tick() override { out_.publish(in_.receive()); }
  void infer(gxr::ShapeContext& context) override { context.set_output(out_, context.input(in_)); }
  void capture(gxr::CaptureContext& context) override {
    const Tensor& in = context.input(in_);
    const auto at = static_cast<std::uint64_t>(*at_);
    if (*hangs_s_ > 0) {
      hang<<<1, 1, 0, context.stream()>>>(context.iteration(), at, *hangs_s_ * 1'000'000'000);
    } else if (*traps_) {
      trap<<<1, 1, 0, context.stream()>>>(context.iteration(), at);
    } else {
      write_astray<<<1, 1, 0, context.stream()>>>(context.iteration(), at);
    }
    add<<<1, kThreads, 0, context.stream()>>>(in.data<std::int32_t>(), nullptr,
                                              context.output(out_).data<std::int32_t>(),
                                              in.shape().dimension(0), 0, 0);
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  Parameter<std::int64_t> at_;
  Parameter<std::int64_t> hangs_s_;
  Parameter<bool> traps_;
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
      gxr::cuda::device_port(out_)->set_bytes(*late_bytes_);
    }
  }
  void start() override {
    check(cudaMalloc(&seen_, 2 * sizeof(void*)));
    check(cudaMemset(seen_, 0, 2 * sizeof(void*)));
    memory_[0] = takes_from_.has_value() ? takes_from_->memory_[1] : allocate(*own_in_);
    memory_[1] = allocate(*own_out_);
    give(in_, memory_[0], takes_from_.has_value() ? *takes_from_->own_out_ : *own_in_);
    give(out_, memory_[1], *own_out_);
  }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "works as a part of a graph only");
  }
  void infer(gxr::ShapeContext& context) override {
    if (*tells_ > 0) {
      context.set_output(out_, {{*tells_}, gxr::ElementType::Int32, 0, {}});
    }
  }
  void capture(gxr::CaptureContext& context) override {
    const Tensor& in = context.input(in_);
    Tensor& out = context.output(out_);
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

  gxr::Input<> in_;
  gxr::Output<> out_;
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
                  {"device", "waits for the device"},
                  {"event_wait", "waits for an event that it recorded"},
                  {"query", "asks whether the stream is done"},
                  {"event_query", "asks whether an event that it recorded has happened"},
                  {"copy", "copies, and waits for that"},
                  {"pageable", "copies to memory that is not page-locked"},
                  {"legacy", "puts work on the legacy default stream"},
                  {"callback", "has a function of the host called"},
                  {"foreign", "uses another stream"},
                  {"elsewhere", "uses another stream, too"},
                  {"unjoined", "forks a stream and does not join it"},
                  {"allocate", "allocates memory by a node"},
                  {"event", "records an event of its own"},
                  {"launch", "launches a kernel that no device can run"}});
  }
  void tick() override { out_.publish(in_.receive()); }
  void infer(gxr::ShapeContext& context) override { context.set_output(out_, context.input(in_)); }
  void start() override {
    log_info("starts");
    other_.emplace();
    static_cast<void>(cudaEventCreateWithFlags(&event_, cudaEventDisableTiming));
  }
  void stop() override {
    log_info("stops");
    static_cast<void>(cudaEventDestroy(event_));
    other_.reset();
  }
  void capture(gxr::CaptureContext& context) override {
    const Tensor& in = context.input(in_);
    Tensor& out = context.output(out_);
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
    if (mistake == "elsewhere") {
      fill<<<1, kThreads, 0, other>>>(out.data<std::int32_t>(), 0, 0, 0);
    } else if (mistake == "malloc") {
      void* memory = nullptr;
      static_cast<void>(cudaMalloc(&memory, 256));
      static_cast<void>(cudaFree(memory));
    } else if (mistake == "synchronize") {
      static_cast<void>(cudaStreamSynchronize(stream));
    } else if (mistake == "device") {
      static_cast<void>(cudaDeviceSynchronize());
    } else if (mistake == "event_wait" || mistake == "event_query") {
      static_cast<void>(cudaEventRecord(event_, stream));
      static_cast<void>(mistake == "event_wait" ? cudaEventSynchronize(event_)
                                                : cudaEventQuery(event_));
    } else if (mistake == "query") {
      static_cast<void>(cudaStreamQuery(stream));
    } else if (mistake == "copy") {
      const std::int32_t zero = 0;
      static_cast<void>(cudaMemcpy(out.pointer(), &zero, sizeof zero, cudaMemcpyHostToDevice));
    } else if (mistake == "pageable") {
      static_cast<void>(cudaMemcpyAsync(pageable_.data(), out.pointer(), sizeof(std::int32_t),
                                        cudaMemcpyDeviceToHost, stream));
    } else if (mistake == "legacy") {
      fill<<<1, 1, 0, cudaStreamLegacy>>>(out.data<std::int32_t>(), 0, 0, 0);
    } else if (mistake == "callback") {
      static_cast<void>(cudaLaunchHostFunc(
          stream, [](void*) {}, nullptr));
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
    } else if (mistake == "event") {
      static_cast<void>(cudaEventRecordWithFlags(event_, stream, cudaEventRecordExternal));
    } else if (mistake == "launch") {
      fill<<<1, 4096, 0, stream>>>(nullptr, 0, 0, 0);
    }
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  Parameter<std::string> mistake_;
  std::optional<gxr::LeasedStream> other_;
  std::vector<std::int32_t> pageable_ = std::vector<std::int32_t>(1, 1);
  cudaEvent_t event_ = nullptr;
};

void add_graphs(gxr::Extension& extension) {
  extension.add<Tally>("Says in a graph whether tensors are right");
  extension.add<Watch>("Says in a graph whether numbers only grow");
  extension.add<TallySms>("Says in a graph on how many SMs it runs");
  extension.add<Astray>("Writes where nobody may");
  extension.add<Ported>("Says where its tensors lie");
  extension.add<BadCapture>("Makes mistakes in capture()");
}

}  // namespace gpu

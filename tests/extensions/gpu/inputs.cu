// Operators that look for input on the GPU, and one that says which of its inputs are new.

#include <cstdint>
#include <string>

#include <cuda_runtime.h>

#include "gpu.hpp"
#include "gxr/cuda/check.hpp"

namespace gpu {

using gxr::Interface;
using gxr::Parameter;
using gxr::Tensor;

namespace {

constexpr int kThreads = 256;

void check(cudaError_t error) { gxr::cuda::check(error, "a call of CUDA"); }

/// Device memory full of 0. Not by the legacy stream, with which loops are not ordered.
template <class T>
T* new_on_device() {
  T* memory = nullptr;
  cudaStream_t stream = nullptr;
  check(cudaMalloc(&memory, sizeof(T)));
  check(cudaStreamCreateWithFlags(&stream, cudaStreamNonBlocking));
  check(cudaMemsetAsync(memory, 0, sizeof(T), stream));
  check(cudaStreamSynchronize(stream));
  check(cudaStreamDestroy(stream));
  return memory;
}

/// Has something at every `every`-th look, `most` times in all: what is in `in`, or, without, the
/// numbers 1, 2, … It does not ring before the last was taken. One block.
__global__ void arrive(const std::int32_t* in, std::int32_t* out, std::int64_t count,
                       gxr::Doorbell bell, std::uint64_t* looks, std::uint64_t every,
                       std::uint64_t most) {
  __shared__ bool comes;
  const std::uint64_t rung = *bell.rung;
  if (threadIdx.x == 0) {
    const std::uint64_t look = ++*looks;
    comes = look % every == 0 && rung == *bell.taken && rung < most;
  }
  __syncthreads();
  if (!comes) {
    return;
  }
  for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) {
    out[i] = in == nullptr ? static_cast<std::int32_t>(rung) + 1 : in[i];
  }
  if (threadIdx.x == 0) {
    *bell.rung = rung + 1;
  }
}

__global__ void fill_with_next(std::int32_t* out, std::int64_t count, const std::uint64_t* number) {
  for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) {
    out[i] = static_cast<std::int32_t>(*number) + 1;
  }
}

struct News {
  unsigned long long iterations;
  unsigned long long arrived[2];  // of each input
  unsigned long long wrong;
  std::int32_t last[2];
};

/// Inputs count 1, 2, … when they are new, and stay as they are when not. One thread.
__global__ void look_for_news(const std::int32_t* first, const std::uint64_t* first_is_new,
                              const std::int32_t* second, const std::uint64_t* second_is_new,
                              News* news) {
  const std::int32_t values[2] = {*first, *second};
  const bool is_new[2] = {first_is_new == nullptr || *first_is_new != 0,
                          second_is_new == nullptr || *second_is_new != 0};
  ++news->iterations;
  for (int i = 0; i < 2; ++i) {
    const std::int32_t wanted = news->last[i] + (is_new[i] ? 1 : 0);
    news->arrived[i] += is_new[i] ? 1 : 0;
    news->wrong += values[i] == wanted ? 0 : 1;
    news->last[i] = values[i];
  }
  news->wrong += is_new[0] || is_new[1] ? 0 : 1;
}

}  // namespace

/// Stands beside a gxr::cuda::DataReadyHandler.
class Arrive final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "What has arrived").optional();
    interface.output(out_, "out", "Tensors");
    interface.parameter(size_, "size", "Elements of each, without an input").default_value(512);
    interface.parameter(every_, "every", "At which look something is there").default_value(1);
    interface.parameter(most_, "most", "How often that happens").default_value(1'000'000'000);
  }
  void start() override { looks_ = new_on_device<std::uint64_t>(); }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "looks as a part of a graph only");
  }
  void infer(gxr::ShapeContext& context) override {
    context.set_output(
        out_, in_ ? context.input(in_) : gxr::TensorSpec{{*size_}, gxr::ElementType::Int32, 0, {}});
  }
  void capture(gxr::CaptureContext& context) override {
    Tensor& out = context.output(out_);
    arrive<<<1, kThreads, 0, context.stream()>>>(
        in_ ? context.input(in_).data<std::int32_t>() : nullptr, out.data<std::int32_t>(),
        out.shape().dimension(0), context.doorbell(), looks_, *every_, *most_);
  }
  void stop() override { check(cudaFree(looks_)); }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  Parameter<std::int32_t> size_;
  Parameter<std::uint64_t> every_;
  Parameter<std::uint64_t> most_;
  std::uint64_t* looks_ = nullptr;
};

/// Makes, at every look, tensors full of the number of the iteration that may begin, from 1.
class Packets final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.output(out_, "out", "Tensors");
    interface.parameter(size_, "size", "Elements of each").default_value(512);
  }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "looks as a part of a graph only");
  }
  void infer(gxr::ShapeContext& context) override {
    context.set_output(out_, {{*size_}, gxr::ElementType::Int32, 0, {}});
  }
  void capture(gxr::CaptureContext& context) override {
    Tensor& out = context.output(out_);
    fill_with_next<<<1, kThreads, 0, context.stream()>>>(
        out.data<std::int32_t>(), out.shape().dimension(0), context.iteration());
  }

 private:
  gxr::Output<> out_;
  Parameter<std::int32_t> size_;
};

/// Says in a graph which of its inputs were new, and whether the others stayed.
class TallyNews final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.input(first_, "first", "Tensors full of 1, 2, …");
    interface.input(second_, "second", "The same");
  }
  void start() override { news_ = new_on_device<News>(); }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "counts as a part of a graph only");
  }
  void infer(gxr::ShapeContext& context) override {
    static_cast<void>(context.input(first_));
    static_cast<void>(context.input(second_));
  }
  void capture(gxr::CaptureContext& context) override {
    look_for_news<<<1, 1, 0, context.stream()>>>(
        context.input(first_).data<std::int32_t>(), context.is_new(first_),
        context.input(second_).data<std::int32_t>(), context.is_new(second_), news_);
  }
  void stop() override {
    News news{};
    check(cudaMemcpy(&news, news_, sizeof news, cudaMemcpyDeviceToHost));
    check(cudaFree(news_));
    log_info(std::to_string(news.arrived[0]) + " and " + std::to_string(news.arrived[1]) + " in " +
             std::to_string(news.iterations) + " iterations, " + std::to_string(news.wrong) +
             " wrong");
  }

 private:
  gxr::Input<> first_;
  gxr::Input<> second_;
  News* news_ = nullptr;
};

void add_inputs(gxr::Extension& extension) {
  extension.add<Arrive>("Looks for input");
  extension.add<Packets>("Feeds what looks for input");
  extension.add<TallyNews>("Says which inputs are new");
}

}  // namespace gpu

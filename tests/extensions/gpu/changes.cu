// Operators of CUDA graphs whose parameters change while the graph runs.

#include <algorithm>
#include <cstdint>
#include <memory>
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
using gxr::Parameter;
using gxr::Tensor;

namespace {

/// Writes a number that lies in device memory.
__global__ void fill_from(std::int32_t* out, std::int64_t count, const std::int32_t* table) {
  for (std::int64_t i = threadIdx.x; i < count; i += blockDim.x) {
    out[i] = *table;
  }
}

void check(cudaError_t error) { gxr::cuda::check(error, "a call of CUDA"); }

}  // namespace

/// Writes tensors full of a number that its kernels read from a table, which nobody but the graph
/// keeps once it was captured.
class Constant final : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(Interface& interface) override {
    interface.output(out_, "out", "Tensors of int32");
    interface.parameter(value_, "value", "What they are full of").default_value(0).dynamic();
    interface.parameter(kernels_, "kernels", "How often that is written")
        .default_value(1)
        .dynamic();
    interface.parameter(size_, "size", "Elements").default_value(64).dynamic();
    interface.parameter(fails_, "fails", "Whether capture() throws").default_value(false).dynamic();
    interface
        .parameter(in_memory_, "in_memory",
                   "Whether the kernels read 'value' from memory of the graph")
        .default_value(false);
    interface.parameter(calls_host_, "calls_host", "Whether it calls a function of the host")
        .default_value(false);
  }
  /// A number for each value; the tables are filled here, since capture() may not do it.
  void start() override {
    std::vector<std::int32_t> numbers(kNumbers);
    for (std::int32_t i = 0; i < kNumbers; ++i) {
      numbers[static_cast<std::size_t>(i)] = i;
    }
    const int device = context().graph_device(*this).value_or(0);
    auto& runtime = gxr::DeviceRuntime::get();
    const std::size_t bytes = numbers.size() * sizeof(std::int32_t);
    own_ = std::shared_ptr<std::int32_t>(
        static_cast<std::int32_t*>(
            runtime.allocate(bytes, gxr::MemoryStorageType::Device, device, {})),
        [](std::int32_t* memory) {
          gxr::DeviceRuntime::get().free(memory, gxr::MemoryStorageType::Device);
        });
    check(cudaMemcpy(own_.get(), numbers.data(), bytes, cudaMemcpyHostToDevice));
    numbers_ = own_;
  }
  void stop() override { own_.reset(); }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "works as a part of a graph only");
  }
  void infer(gxr::ShapeContext& context) override {
    context.set_output(out_, {{*size_}, gxr::ElementType::Int32, 0, {}});
    if (*in_memory_) {
      context.set_parameters_to(*value_);
    }
  }
  void capture(gxr::CaptureContext& context) override {
    if (*fails_) {
      throw gxr::Error(gxr::ErrorCode::InvalidData, "the table is broken");
    }
    const std::shared_ptr<std::int32_t> numbers = numbers_.lock();
    if (numbers == nullptr) {
      throw gxr::Error(gxr::ErrorCode::InvalidState, "the graph has not kept the table");
    }
    context.keep(numbers);
    own_.reset();
    const std::int32_t* const value =
        *in_memory_ ? context.parameters<std::int32_t>() : numbers.get() + *value_;
    for (std::int32_t i = 0; i < *kernels_; ++i) {
      fill_from<<<1, 64, 0, context.stream()>>>(context.output(out_).data<std::int32_t>(), *size_,
                                                value);
    }
    if (*calls_host_) {
      check(cudaLaunchHostFunc(
          context.stream(), [](void*) {}, nullptr));
    }
  }
  /// Is the table there, between the capture and the end of the graph? Any thread.
  [[nodiscard]] bool has_table() const { return !numbers_.expired(); }

 private:
  static constexpr std::int32_t kNumbers = 64;

  gxr::Output<> out_;
  Parameter<std::int32_t> value_;
  Parameter<std::int32_t> kernels_;
  Parameter<std::int32_t> size_;
  Parameter<bool> fails_;
  Parameter<bool> in_memory_;
  Parameter<bool> calls_host_;
  std::shared_ptr<std::int32_t> own_;  // until the graph keeps it
  std::weak_ptr<std::int32_t> numbers_;
};

/// Ends the application when a tensor is full of `last`; fails for one that has several numbers, or
/// another number before that than `before`, or `never` anywhere, and when the graph of `maker` has
/// let its table go.
class Until final : public gxr::Codelet {
 public:
  void declare(Interface& interface) override {
    interface.input(in_, "in", "Tensors of int32");
    interface.parameter(last_, "last", "What the last one is full of");
    interface.parameter(before_, "before", "What those before are full of; left out: of anything")
        .optional();
    interface
        .parameter(never_, "never",
                   "A number that none holds; what else they hold does not matter")
        .optional();
    interface.parameter(maker_, "maker", "Whose table is to be kept").optional();
  }
  void tick() override {
    if (maker_.has_value() && !maker_->has_table()) {
      throw gxr::Error(gxr::ErrorCode::InvalidState,
                       "the graph has let a table go that its kernels read");
    }
    const gxr::Message message = in_.receive();
    const auto& tensor = message.get<Tensor>();
    std::vector<std::int32_t> found(tensor.size() / sizeof(std::int32_t));
    check(cudaMemcpy(found.data(), tensor.pointer(), tensor.size(), cudaMemcpyDefault));
    const auto elements_with = [&](std::int32_t value) {
      return static_cast<std::size_t>(std::count(found.begin(), found.end(), value));
    };
    if (never_.has_value()) {
      if (elements_with(*never_) > 0) {
        throw gxr::Error(gxr::ErrorCode::InvalidData, "an operator that is off has written");
      }
      if (elements_with(*last_) == found.size()) {
        context().interrupt();
      }
      return;
    }
    if (elements_with(found.front()) != found.size()) {
      throw gxr::Error(gxr::ErrorCode::InvalidData, "an iteration had two values");
    }
    if (found.front() == *last_) {
      context().interrupt();
    } else if (before_.has_value() && found.front() != *before_) {
      throw gxr::Error(gxr::ErrorCode::InvalidData, "an iteration had " +
                                                        std::to_string(found.front()) +
                                                        ", which is not what was set together");
    }
  }

 private:
  gxr::Input<> in_;
  Parameter<std::int32_t> last_;
  Parameter<std::int32_t> before_;
  Parameter<std::int32_t> never_;
  Parameter<Handle<Constant>> maker_;
};

void add_changes(gxr::Extension& extension) {
  extension.add<Constant>("Writes a number that may change");
  extension.add<Until>("Ends the application at a number");
}

}  // namespace gpu

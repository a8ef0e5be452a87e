// Operators that write the numbers by which branches of a graph are decided.

#include <cstdint>

#include <cuda_runtime.h>

#include "gpu.hpp"
#include "gxr/graph_operator.hpp"

namespace gpu {
namespace {

using gxr::Parameter;

/// Lets the next kernel come up, and waits for those in front.
__device__ void depend() {
#if __CUDA_ARCH__ >= 900
  cudaTriggerProgrammaticLaunchCompletion();
  cudaGridDependencySynchronize();
#endif
}

__global__ void write_remainder(const std::int32_t* in, std::int32_t* out, std::int32_t divisor) {
  depend();
  *out = in[0] % divisor;
}

__global__ void write_less(const std::int32_t* in, std::uint8_t* out, std::int32_t than) {
  depend();
  *out = in[0] < than ? 1 : 0;
}

}  // namespace

/// What operators have in common that make a number of the first element of what they read.
class Decide : public gxr::Codelet, public gxr::GraphOperator {
 public:
  void declare(gxr::Interface& interface) override {
    interface.input(in_, "in", "Tensors of int32");
    interface.output(out_, "out", "The number");
    interface.parameter(value_, "value", "What the element is compared with").default_value(2);
  }
  void tick() override {
    throw gxr::Error(gxr::ErrorCode::NotSupported, "decides as a part of a graph only");
  }
  [[nodiscard]] gxr::GraphTraits graph_traits() const override {
    gxr::GraphTraits traits;
    traits.repeatable = true;
    traits.dependent_launch = true;
    return traits;
  }

 protected:
  void infer_number(gxr::ShapeContext& context, gxr::ElementType type) {
    static_cast<void>(context.input(in_));
    context.set_output(out_, {{1}, type, 0, {}});
  }
  [[nodiscard]] const std::int32_t* read(gxr::CaptureContext& context) {
    return context.input(in_).data<std::int32_t>();
  }
  [[nodiscard]] std::int32_t value() const { return *value_; }

  template <class T>
  [[nodiscard]] T* written(gxr::CaptureContext& context) {
    return context.output(out_).template data<T>();
  }

 private:
  gxr::Input<> in_;
  gxr::Output<> out_;
  Parameter<std::int32_t> value_;
};

class Remainder final : public Decide {
 public:
  void infer(gxr::ShapeContext& context) override {
    infer_number(context, gxr::ElementType::Int32);
  }
  void capture(gxr::CaptureContext& context) override {
    write_remainder<<<1, 1, 0, context.stream()>>>(read(context), written<std::int32_t>(context),
                                                   value());
  }
};

class Less final : public Decide {
 public:
  void infer(gxr::ShapeContext& context) override {
    infer_number(context, gxr::ElementType::UInt8);
  }
  void capture(gxr::CaptureContext& context) override {
    write_less<<<1, 1, 0, context.stream()>>>(read(context), written<std::uint8_t>(context),
                                              value());
  }
};

void add_branches(gxr::Extension& extension) {
  extension.add<Remainder>("Divides, and writes what is left");
  extension.add<Less>("Writes 1 when it is less, else 0");
}

}  // namespace gpu

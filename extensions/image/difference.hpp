#pragma once

#include <optional>
#include <string>

#include "gxr/allocator.hpp"
#include "gxr/codelet.hpp"
#include "gxr/graph_operator.hpp"
#include "gxr/queue.hpp"
#include "image/gpu_tick.hpp"
#include "image/out_part.hpp"
#include "image/placement.hpp"
#include "image/tensor_image.hpp"

namespace gxr::image {

/// How far two pictures lie apart, element by element.
class Difference final : public Codelet, public GraphOperator {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void start() override;
  void tick() override;
  void stop() override;
  void infer(ShapeContext& context) override;
  void capture(CaptureContext& context) override;
  [[nodiscard]] GraphTraits graph_traits() const override { return {.repeatable = true}; }

 private:
  /// The pictures of one tick, wherever they are.
  struct Pair {
    InputImage a;
    InputImage b;
  };
  static void require_equal_forms(const Pair& pair);
  /// On the GPU of `gpu`; nullptr: on the CPU.
  static void compute(const Pair& pair, const GpuTick* gpu, Tensor& result, Allocator* pool);
  void verify(const Pair& pair, const Message& a, const Message& b, const GpuTick* gpu,
              const Tensor& result);
  [[nodiscard]] std::string result_name(const InputImage& a) const;

  Input<Tensor> a_;
  Input<Tensor> b_;
  Output<Tensor> out_;
  Parameter<Handle<Allocator>> pool_;
  Parameter<std::string> out_tensor_name_;
  OutPart out_part_;
  Placement placement_;
};

}  // namespace gxr::image

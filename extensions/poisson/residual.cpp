#include "poisson/residual.hpp"

#include <utility>

#include "poisson/device_kernels.hpp"

namespace gxr::poisson {

void Residual::declare(Interface& interface) {
  interface.input(heat_, "heat", "Where the plate is heated, float32 [height, width, 1]")
      .elements({ElementType::Float32})
      .dimensions({-1, -1, 1});
  interface.input(field_, "field", "The temperature, shaped as the heat")
      .elements({ElementType::Float32})
      .dimensions({-1, -1, 1});
  interface.output(above_, "above",
                   "int32 [1]: 1 when the residual is above the tolerance, else 0");
  interface
      .parameter(tolerance_, "tolerance",
                 "The largest residual that a solution has: |heat + neighbours - 4 field|")
      .default_value(1e-5F)
      .minimum(0.0F);
  interface.parameter(pool_, "pool", "Allocator of the results' memory outside of a CUDA graph");
}

void Residual::start() {
  if (context().graph_device(*this)) {
    device_kernels();  // loaded before anything runs on the GPU
  }
}

void Residual::tick() {
  const ReceivedGrid heat(heat_);
  const ReceivedGrid field(field_);
  require_same(heat.grid(), field.grid());
  Message result = context().new_message();
  auto& tensor = result.add<Tensor>();
  tensor.allocate<std::int32_t>(**pool_, {1});
  *tensor.data<std::int32_t>() =
      residual(heat.grid(), field.data(), heat.data()) > *tolerance_ ? 1 : 0;
  result.set_sequence(heat.message().sequence());
  result.set_source_time(heat.message().source_time());
  above_.publish(std::move(result));
}

void Residual::infer(ShapeContext& context) {
  const TensorSpec& heat = context.input(heat_);
  const TensorSpec& field = context.input(field_);
  require_same(grid_of(heat.shape, heat.type), grid_of(field.shape, field.type));
  context.set_scratch(kResidualScratch);
  context.set_output(above_, {{1}, ElementType::Int32, 0, {}});
}

void Residual::capture(CaptureContext& context) {
  const Tensor& heat = context.input(heat_);
  device_kernels().residual(grid_of(heat.shape(), heat.element_type()),
                            context.input(field_).data<float>(), heat.data<float>(), *tolerance_,
                            context.output(above_).data<std::int32_t>(), context.scratch(),
                            context.stream());
}

}  // namespace gxr::poisson

#include "poisson/jacobi.hpp"

#include <utility>

#include "poisson/device_kernels.hpp"

namespace gxr::poisson {

void Jacobi::declare(Interface& interface) {
  interface.input(heat_, "heat", "Where the plate is heated, float32 [height, width, 1]")
      .elements({ElementType::Float32})
      .dimensions({-1, -1, 1});
  interface.input(last_, "last", "The temperature so far, shaped as the heat")
      .elements({ElementType::Float32})
      .dimensions({-1, -1, 1});
  interface.output(out_, "out", "The temperature after the sweep")
      .elements({ElementType::Float32})
      .dimensions({-1, -1, 1});
  interface.parameter(pool_, "pool", "Allocator of the results' memory outside of a CUDA graph");
}

void Jacobi::start() {
  if (context().graph_device(*this)) {
    device_kernels();  // loaded before anything runs on the GPU
  }
}

void Jacobi::tick() {
  const ReceivedGrid heat(heat_);
  const ReceivedGrid last(last_);
  require_same(heat.grid(), last.grid());
  Message result = context().new_message();
  auto& tensor = result.add<Tensor>();
  tensor.allocate<float>(**pool_, spec_of(heat.grid()).shape);
  sweep(heat.grid(), last.data(), heat.data(), tensor.data<float>());
  result.set_sequence(heat.message().sequence());
  result.set_source_time(heat.message().source_time());
  out_.publish(std::move(result));
}

void Jacobi::infer(ShapeContext& context) {
  const TensorSpec& heat = context.input(heat_);
  const TensorSpec& last = context.input(last_);
  const Grid grid = grid_of(heat.shape, heat.type);
  require_same(grid, grid_of(last.shape, last.type));
  context.set_output(out_, spec_of(grid));
}

void Jacobi::capture(CaptureContext& context) {
  const Tensor& heat = context.input(heat_);
  device_kernels().sweep(grid_of(heat.shape(), heat.element_type()),
                         context.input(last_).data<float>(), heat.data<float>(),
                         context.output(out_).data<float>(), context.stream());
}

GraphTraits Jacobi::graph_traits() const {
  GraphTraits traits;
  traits.dependent_launch = true;
  return traits;
}

}  // namespace gxr::poisson

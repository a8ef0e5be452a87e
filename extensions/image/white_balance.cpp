#include "image/white_balance.hpp"

#include "gxr/kernels/white_balance.hpp"

namespace gxr::image {

void WhiteBalance::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(method_, "method", "Where the gains come from")
      .description(
          "gains: the parameter 'gains'. grey_world: every picture's own, such that its mean is "
          "grey.")
      .default_value(BalanceMethod::Gains);
  interface.parameter(gains_, "gains", "Factors on red, green and blue, for method gains")
      .range(0.0, 64.0)
      .default_value({1.0, 1.0, 1.0});
}

void WhiteBalance::stop() {
  gains_on_device_.reset();
  ImageOperator::stop();
}

std::array<float, 3> WhiteBalance::fixed_gains() const {
  std::array<float, 3> gains{};
  for (std::size_t c = 0; c < gains.size(); ++c) {
    gains[c] = static_cast<float>(gains_.get()[c]);
  }
  return gains;
}

void WhiteBalance::balance(const Task& task) const {
  std::array<float, 3> gains = fixed_gains();
  visit_image(task.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    if (method_.get() == BalanceMethod::GreyWorld) {
      kernels::grey_world_gains(in, gains.data());
    }
    kernels::apply_gains(in, view_as<T>(task.result, task.input.shape), gains.data());
  });
}

/// Gains that the picture itself gives stay on the GPU.
void WhiteBalance::balance_on_device(const Task& task, const GpuTick& gpu) {
  visit_image(task.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    const TypedDeviceKernels<T>& table = gpu.kernels<T>();
    const auto out = view_as<T>(task.result, task.input.shape);
    if (method_.get() == BalanceMethod::GreyWorld) {
      const Tensor gains = gpu.scratch(3 * sizeof(float));
      const Tensor workspace = gpu.scratch(gpu.kernels().grey_world_workspace_bytes());
      auto* const values = static_cast<float*>(gains.pointer());
      table.grey_world_gains(in, values, workspace.pointer(), gpu.stream());
      table.apply_gains(in, out, values, gpu.stream());
    } else {
      const std::array<float, 3> gains = fixed_gains();
      const void* const values = gains_on_device_.get(gpu, gains.data(), sizeof(gains));
      table.apply_gains(in, out, static_cast<const float*>(values), gpu.stream());
    }
  });
}

/// The GPU adds up the elements of float pictures in another order.
Tolerance WhiteBalance::tolerance(const InputImage& input) const {
  const bool sums_of_floats =
      method_.get() == BalanceMethod::GreyWorld && input.type() == ElementType::Float32;
  constexpr double kGain = 1e-6;
  constexpr double kRounding = 2.4e-7;  // of the gain and of the product, 2^-23 each
  return {.relative = sums_of_floats ? kGain + kRounding : 0.0};
}

void WhiteBalance::process(Task& task) {
  const InputImage& input = task.input;
  if (input.shape.channels < 3) {
    throw_wrong_image(input, "an RGB or RGBA picture (3 or 4 channels)");
  }
  allocate(task, input.shape, input.type());
  if (task.gpu != nullptr) {
    balance_on_device(task, *task.gpu);
  } else {
    balance(task);
  }
}

}  // namespace gxr::image

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

std::array<float, 3> WhiteBalance::gains_for(const InputImage& input) const {
  std::array<float, 3> gains{};
  if (method_.get() == BalanceMethod::GreyWorld) {
    visit_image(input, [&](auto in) { kernels::grey_world_gains(in, gains.data()); });
  } else {
    for (std::size_t c = 0; c < gains.size(); ++c) {
      gains[c] = static_cast<float>(gains_.get()[c]);
    }
  }
  return gains;
}

void WhiteBalance::process(Task& task) {
  const InputImage& input = task.input;
  if (input.shape.channels < 3) {
    throw_wrong_image(input, "an RGB or RGBA picture (3 or 4 channels)");
  }
  const std::array<float, 3> gains = gains_for(input);
  allocate(task, input.shape, input.type());
  visit_image(input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    kernels::apply_gains(in, view_as<T>(task.result, input.shape), gains.data());
  });
}

}  // namespace gxr::image

#include "image/tone_curve.hpp"

namespace gxr::image {

void ToneCurve::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(curve_, "curve", "Shape of the curve")
      .description(
          "gamma: out = in^(1/gamma). srgb: the transfer function of IEC 61966-2-1. linear: out = "
          "in.")
      .default_value(CurveName::Srgb);
  interface.parameter(gamma_, "gamma", "Exponent of the curve gamma")
      .description(
          "Above 1 brightens: linear light to display values. Below 1 darkens: 0.4545 undoes 2.2.")
      .range(0.05, 20.0)
      .default_value(2.2);
}

void ToneCurve::initialize() {
  switch (curve_.get()) {
    case CurveName::Gamma:
      function_ = kernels::gamma_curve(static_cast<float>(gamma_.get()));
      break;
    case CurveName::Srgb:
      function_ = kernels::srgb_curve();
      break;
    case CurveName::Linear:
      function_ = kernels::gamma_curve(1.0F);
      break;
  }
}

void ToneCurve::apply(kernels::ImageView<const std::uint8_t> in,
                      kernels::ImageView<std::uint8_t> out) {
  if (!table8_) {
    table8_.emplace(function_);
  }
  kernels::apply_tone_table(in, out, table8_->data());
}

void ToneCurve::apply(kernels::ImageView<const std::uint16_t> in,
                      kernels::ImageView<std::uint16_t> out) {
  if (!table16_) {
    table16_.emplace(function_);
  }
  kernels::apply_tone_table(in, out, table16_->data());
}

void ToneCurve::apply(kernels::ImageView<const float> in, kernels::ImageView<float> out) const {
  kernels::apply_tone_curve(in, out, function_);
}

void ToneCurve::process(Task& task) {
  const InputImage& input = task.input;
  allocate(task, input.shape, input.type());
  visit_image(input, [&](auto in) {
    apply(in, view_as<ElementOf<decltype(in)>>(task.result, input.shape));
  });
}

}  // namespace gxr::image

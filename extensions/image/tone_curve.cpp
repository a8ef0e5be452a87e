#include "image/tone_curve.hpp"

#include <type_traits>

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
  ImageOperator::initialize();
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

void ToneCurve::stop() {
  table8_.on_device.reset();
  table16_.on_device.reset();
  ImageOperator::stop();
}

template <class T>
void ToneCurve::apply(kernels::ImageView<const T> in, kernels::ImageView<T> out, Table<T>& table,
                      const GpuTick* gpu) {
  if (!table.values) {
    table.values.emplace(function_);
  }
  const T* const entries = table.values->data();
  if (gpu == nullptr) {
    return kernels::apply_tone_table(in, out, entries);
  }
  const std::size_t bytes = static_cast<std::size_t>(table.values->size()) * sizeof(T);
  const void* const copy = table.on_device.get(*gpu, entries, bytes);
  gpu->kernels<T>().apply_tone_table(in, out, static_cast<const T*>(copy), gpu->stream());
}

void ToneCurve::apply(kernels::ImageView<const float> in, kernels::ImageView<float> out,
                      const GpuTick* gpu) const {
  if (gpu == nullptr) {
    return kernels::apply_tone_curve(in, out, function_);
  }
  gpu->kernels<float>().apply_tone_curve(in, out, function_, gpu->stream());
}

Tolerance ToneCurve::tolerance(const InputImage& input) const {
  return {.absolute = input.type() == ElementType::Float32 ? 1e-6 : 0.0};
}

void ToneCurve::process(Task& task) {
  const InputImage& input = task.input;
  allocate(task, input.shape, input.type());
  visit_image(input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    const auto out = view_as<T>(task.result, input.shape);
    if constexpr (std::is_same_v<T, float>) {
      apply(in, out, task.gpu);
    } else if constexpr (std::is_same_v<T, std::uint8_t>) {
      apply(in, out, table8_, task.gpu);
    } else {
      apply(in, out, table16_, task.gpu);
    }
  });
}

}  // namespace gxr::image

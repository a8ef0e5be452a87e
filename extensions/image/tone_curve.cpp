#include "image/tone_curve.hpp"

#include <type_traits>

namespace gxr::image {
namespace {

kernels::ToneCurve curve_of(CurveName name, double gamma) {
  switch (name) {
    case CurveName::Gamma:
      return kernels::gamma_curve(static_cast<float>(gamma));
    case CurveName::Srgb:
      return kernels::srgb_curve();
    case CurveName::Linear:
      break;
  }
  return kernels::gamma_curve(1.0F);
}

}  // namespace

void ToneCurve::declare(Interface& interface) {
  ImageOperator::declare(interface);
  interface.parameter(curve_, "curve", "Shape of the curve")
      .description(
          "gamma: out = in^(1/gamma). srgb: the transfer function of IEC 61966-2-1. linear: out = "
          "in.")
      .default_value(CurveName::Srgb)
      .dynamic();
  interface.parameter(gamma_, "gamma", "Exponent of the curve gamma")
      .description(
          "Above 1 brightens: linear light to display values. Below 1 darkens: 0.4545 undoes 2.2.")
      .range(0.05, 20.0)
      .default_value(2.2)
      .dynamic();
}

const kernels::ToneCurve& ToneCurve::function() {
  const kernels::ToneCurve now = curve_of(curve_.get(), gamma_.get());
  if (now.kind != function_.kind || now.inverse_gamma != function_.inverse_gamma) {
    function_ = now;
    table8_.reset();
    table16_.reset();
  }
  return function_;
}

void ToneCurve::stop() {
  table8_.on_device.reset();
  table16_.on_device.reset();
  CapturableOperator::stop();
}

template <class T>
ToneCurve::Table<T>& ToneCurve::table() {
  if constexpr (std::is_same_v<T, std::uint8_t>) {
    return table8_;
  } else {
    return table16_;
  }
}

Tolerance ToneCurve::tolerance(const InputImage& input) const {
  return {.absolute = input.type() == ElementType::Float32 ? 1e-6 : 0.0};
}

void ToneCurve::compute_on_host(const Work& work) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    const auto out = work.result_view<T>();
    if constexpr (std::is_same_v<T, float>) {
      kernels::apply_tone_curve(in, out, function());
    } else {
      const kernels::ToneCurve& curve = function();  // before its table, which it may reset
      table<T>().apply(in, out, curve);
    }
  });
}

void ToneCurve::launch(const Work& work, const KernelPlace& place) {
  visit_image(work.input, [&](auto in) {
    using T = ElementOf<decltype(in)>;
    const auto out = work.result_view<T>();
    const TypedDeviceKernels<T>& kernels = place.kernels.of<T>();
    if constexpr (std::is_same_v<T, float>) {
      kernels.apply_tone_curve(in, out, function(), place.stream);
    } else {
      Table<T>& curve = table<T>();
      const T* const entries = curve.entries(function());
      const void* const on_device = place.get(curve.on_device, entries, curve.bytes());
      kernels.apply_tone_table(in, out, static_cast<const T*>(on_device), place.stream);
    }
  });
}

/// The table; that of float pictures, the curve, is a part of the kernel's launch.
std::vector<std::byte> ToneCurve::parameters(const InputImage& input) {
  const auto bytes_of = [&](auto& curve) -> std::vector<std::byte> {
    const auto* const begin = reinterpret_cast<const std::byte*>(curve.entries(function()));
    return {begin, begin + curve.bytes()};
  };
  switch (input.type()) {
    case ElementType::UInt8:
      return bytes_of(table8_);
    case ElementType::UInt16:
      return bytes_of(table16_);
    default:
      return {};
  }
}

}  // namespace gxr::image

#pragma once

#include <cstdint>
#include <optional>
#include <utility>

#include "gxr/kernels/tone_curve.hpp"
#include "image/image_operator.hpp"

namespace gxr {
namespace image {

enum class CurveName : std::uint8_t { Gamma, Srgb, Linear };

/// From linear light to what a display expects, or back (gamma below 1).
class ToneCurve final : public ImageOperator {
 public:
  ToneCurve() noexcept : ImageOperator(Geometry::Kept) {}
  void declare(Interface& interface) override;
  void initialize() override;

 private:
  void process(Task& task) override;
  void apply(kernels::ImageView<const std::uint8_t> in, kernels::ImageView<std::uint8_t> out);
  void apply(kernels::ImageView<const std::uint16_t> in, kernels::ImageView<std::uint16_t> out);
  void apply(kernels::ImageView<const float> in, kernels::ImageView<float> out) const;

  Parameter<CurveName> curve_;
  Parameter<double> gamma_;
  kernels::ToneCurve function_;
  // Built at the first picture of their type.
  std::optional<kernels::ToneTable<std::uint8_t>> table8_;
  std::optional<kernels::ToneTable<std::uint16_t>> table16_;
};

}  // namespace image

template <>
struct EnumNames<image::CurveName> {
  static constexpr std::pair<image::CurveName, const char*> values[] = {
      {image::CurveName::Gamma, "gamma"},
      {image::CurveName::Srgb, "srgb"},
      {image::CurveName::Linear, "linear"},
  };
};

}  // namespace gxr

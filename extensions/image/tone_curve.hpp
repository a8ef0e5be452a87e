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
  void stop() override;

 private:
  /// The curve for all values of an integer type; built at the first picture of its type, copied to
  /// the GPU at the first one there.
  template <class T>
  struct Table {
    std::optional<kernels::ToneTable<T>> values;
    DeviceConstant on_device;
  };

  void process(Task& task) override;
  [[nodiscard]] Tolerance tolerance(const InputImage& input) const override;
  template <class T>
  void apply(kernels::ImageView<const T> in, kernels::ImageView<T> out, Table<T>& table,
             const GpuTick* gpu);
  void apply(kernels::ImageView<const float> in, kernels::ImageView<float> out,
             const GpuTick* gpu) const;

  Parameter<CurveName> curve_;
  Parameter<double> gamma_;
  kernels::ToneCurve function_;
  Table<std::uint8_t> table8_;
  Table<std::uint16_t> table16_;
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

#pragma once

#include <cstdint>
#include <utility>

#include "gxr/kernels/raw.hpp"
#include "image/capturable_operator.hpp"

namespace gxr {
namespace image {

/// Packed rows of a sensor, as a camera sends them over MIPI CSI-2, become a raw picture of 16
/// bits.
class RawUnpack final : public CapturableOperator {
 public:
  RawUnpack() noexcept : CapturableOperator(Geometry::Kept) {}
  void declare(Interface& interface) override;
  void initialize() override;

 private:
  [[nodiscard]] ImageShape result_shape(const InputImage& packed) const override;
  [[nodiscard]] TensorForm result_form(const InputImage& packed) const override {
    return {tensor_shape(result_shape(packed)), ElementType::UInt16};
  }
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;
  void require_capturable() const override { check_width(); }
  /// Throws Error(InvalidParameter) for a width that has a part of a group.
  void check_width() const;
  [[nodiscard]] std::int64_t width_of(const InputImage& packed) const;

  Parameter<kernels::RawFormat> format_;
  Parameter<std::int32_t> width_;
  Parameter<kernels::RawScale> scale_;
};

}  // namespace image

template <>
struct EnumNames<kernels::RawFormat> {
  static constexpr std::pair<kernels::RawFormat, const char*> values[] = {
      {kernels::RawFormat::kRaw10, "RAW10"},
      {kernels::RawFormat::kRaw12, "RAW12"},
      {kernels::RawFormat::kRaw14, "RAW14"},
  };
};

template <>
struct EnumNames<kernels::RawScale> {
  static constexpr std::pair<kernels::RawScale, const char*> values[] = {
      {kernels::RawScale::kSensor, "sensor"},
      {kernels::RawScale::kFull, "full"},
  };
};

}  // namespace gxr

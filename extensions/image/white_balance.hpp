#pragma once

#include <array>
#include <cstdint>
#include <utility>

#include "image/image_operator.hpp"

namespace gxr {
namespace image {

enum class BalanceMethod : std::uint8_t { Gains, GreyWorld };

/// Multiplies red, green and blue, so that what is grey looks grey.
class WhiteBalance final : public ImageOperator {
 public:
  WhiteBalance() noexcept : ImageOperator(Geometry::Kept) {}
  void declare(Interface& interface) override;
  void stop() override;

 private:
  void process(Task& task) override;
  [[nodiscard]] Tolerance tolerance(const InputImage& input) const override;
  void balance_on_device(const Task& task, const GpuTick& gpu);
  void balance(const Task& task) const;
  [[nodiscard]] std::array<float, 3> fixed_gains() const;

  Parameter<BalanceMethod> method_;
  Parameter<std::array<double, 3>> gains_;
  DeviceConstant gains_on_device_;  // for method gains
};

}  // namespace image

template <>
struct EnumNames<image::BalanceMethod> {
  static constexpr std::pair<image::BalanceMethod, const char*> values[] = {
      {image::BalanceMethod::Gains, "gains"},
      {image::BalanceMethod::GreyWorld, "grey_world"},
  };
};

}  // namespace gxr

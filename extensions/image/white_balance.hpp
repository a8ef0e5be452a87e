#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "image/capturable_operator.hpp"

namespace gxr {
namespace image {

enum class BalanceMethod : std::uint8_t { Gains, GreyWorld };

/// Multiplies red, green and blue, so that what is grey looks grey.
class WhiteBalance final : public CapturableOperator {
 public:
  WhiteBalance() noexcept : CapturableOperator(Geometry::Kept) {}
  void declare(Interface& interface) override;
  void stop() override;
  [[nodiscard]] GraphTraits graph_traits() const override {
    return {.repeatable = true, .pass_through = true};
  }

 private:
  [[nodiscard]] ImageShape result_shape(const InputImage& input) const override;
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;
  [[nodiscard]] std::size_t scratch_bytes(const InputImage& input) const override;
  [[nodiscard]] std::vector<std::byte> parameters(const InputImage& input) override;
  [[nodiscard]] Tolerance tolerance(const InputImage& input) const override;
  /// Where the gains for the picture will be; those that it gives itself stay on the GPU.
  template <class T>
  const float* device_gains(kernels::ImageView<const T> in, const KernelPlace& place);
  [[nodiscard]] std::array<float, 3> fixed_gains() const;
  void drop_other_gains();

  Parameter<BalanceMethod> method_;
  Parameter<std::array<double, 3>> gains_;
  DeviceConstant gains_on_device_;       // for method gains
  std::array<float, 3> device_gains_{};  // what it holds
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

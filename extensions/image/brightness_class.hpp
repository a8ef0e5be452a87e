#pragma once

#include <vector>

#include "gxr/kernels/brightness.hpp"
#include "image/capturable_operator.hpp"

namespace gxr::image {

/// Says how bright a picture is, as the number of thresholds that its mean luminance reaches.
class BrightnessClass final : public CapturableOperator {
 public:
  BrightnessClass() noexcept
      : CapturableOperator(Geometry::Changed, "Empty: 'brightness_class'.", Result::Numbers) {}
  void declare(Interface& interface) override;
  void initialize() override;

 private:
  [[nodiscard]] std::string_view result_name(const InputImage& input) const override;
  [[nodiscard]] ImageShape result_shape(const InputImage&) const override { return {1, 1, 1}; }
  [[nodiscard]] TensorForm result_form(const InputImage&) const override {
    return {Shape{1}, ElementType::Int32};
  }
  void require_capturable() const override { static_cast<void>(thresholds()); }
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;
  [[nodiscard]] std::size_t scratch_bytes(const InputImage&) const override {
    return kernels::brightness_workspace_bytes();
  }
  /// Throws Error(InvalidParameter) when there are too many, or they do not ascend.
  [[nodiscard]] kernels::BrightnessThresholds thresholds() const;

  Parameter<std::vector<double>> thresholds_;
};

}  // namespace gxr::image

#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "image/calibration.hpp"
#include "image/capturable_operator.hpp"

namespace gxr::image {

/// Straightens what the lens of a camera bends.
class Undistort final : public CapturableOperator {
 public:
  Undistort() noexcept : CapturableOperator(Geometry::Changed) {}
  void declare(Interface& interface) override;
  void initialize() override;
  void stop() override;

 private:
  [[nodiscard]] ImageShape result_shape(const InputImage& input) const override;
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;
  [[nodiscard]] std::vector<std::byte> parameters(const InputImage& input) override;
  /// Of the parameters; read once.
  [[nodiscard]] const Calibration& calibration() const;
  /// For pictures of this size; computed once for each.
  const std::vector<kernels::PicturePlace>& places_for(const ImageShape& shape);

  Parameter<FilePath> calibration_file_;
  Parameter<std::vector<double>> camera_matrix_;
  Parameter<std::vector<double>> distortion_;
  mutable std::optional<Calibration> calibration_;
  std::vector<kernels::PicturePlace> places_;
  ImageShape placed_;  // the size that places_ is for
  DeviceConstant on_device_;
};

}  // namespace gxr::image

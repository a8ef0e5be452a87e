#pragma once

#include "image/bayer_pattern.hpp"
#include "image/capturable_operator.hpp"

namespace gxr::image {

/// A simulated sensor: keeps of every pixel the colour that its filter lets through, and adds
/// noise.
class BayerMosaic final : public CapturableOperator {
 public:
  BayerMosaic() noexcept : CapturableOperator(Geometry::Changed) {}
  void declare(Interface& interface) override;

 private:
  [[nodiscard]] ImageShape result_shape(const InputImage& rgb) const override;
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;
  [[nodiscard]] std::optional<kernels::BayerPattern> made_pattern() const override {
    return pattern_.get();
  }
  void require_capturable() const override;
  [[nodiscard]] kernels::SensorNoise noise_of(const Work& work) const;

  Parameter<kernels::BayerPattern> pattern_;
  Parameter<double> noise_;
  Parameter<std::uint64_t> seed_;
};

}  // namespace gxr::image

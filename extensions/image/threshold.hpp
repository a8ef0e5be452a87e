#pragma once

#include "image/capturable_operator.hpp"

namespace gxr::image {

/// White where a picture is brighter than a level, and black elsewhere.
class Threshold final : public CapturableOperator {
 public:
  Threshold() noexcept : CapturableOperator(Geometry::Kept) {}
  void declare(Interface& interface) override;
  [[nodiscard]] GraphTraits graph_traits() const override { return {.pass_through = true}; }

 private:
  [[nodiscard]] ImageShape result_shape(const InputImage& input) const override {
    return input.shape;
  }
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;

  Parameter<double> level_;
  Parameter<bool> invert_;
};

}  // namespace gxr::image

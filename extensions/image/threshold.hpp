#pragma once

#include <cmath>

#include "gxr/kernels/threshold.hpp"
#include "image/capturable_operator.hpp"

namespace gxr::image {

/// For a level in parts of full scale. Of integers, it is the greatest one that is not above it.
template <class T>
kernels::ThresholdRule<T> threshold_rule(double level, bool invert) {
  const double scaled = level * static_cast<double>(kernels::full_scale<T>());
  const T white = static_cast<T>(kernels::full_scale<T>());
  const T limit = kernels::full_scale<T>() == 1.0F ? static_cast<T>(level)
                                                   : static_cast<T>(std::floor(scaled + 1e-9));
  return {limit, invert ? T{0} : white, invert ? white : T{0}};
}

/// White where a picture is brighter than a level, and black elsewhere.
class Threshold final : public CapturableOperator {
 public:
  Threshold() noexcept : CapturableOperator(Geometry::Kept) {}
  void declare(Interface& interface) override;
  [[nodiscard]] GraphTraits graph_traits() const override {
    return {.repeatable = true, .pass_through = true};
  }

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

#pragma once

#include "image/bayer_pattern.hpp"
#include "image/image_operator.hpp"

namespace gxr::image {

/// A simulated sensor: keeps of every pixel the colour that its filter lets through, and adds
/// noise.
class BayerMosaic final : public ImageOperator {
 public:
  BayerMosaic() noexcept : ImageOperator(Geometry::Changed) {}
  void declare(Interface& interface) override;

 private:
  void process(Task& task) override;

  Parameter<kernels::BayerPattern> pattern_;
  Parameter<double> noise_;
  Parameter<std::uint64_t> seed_;
};

}  // namespace gxr::image

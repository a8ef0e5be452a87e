#pragma once

#include <cstdint>

#include "image/capturable_operator.hpp"

namespace gxr::image {

/// Takes a part of a picture.
class Crop final : public CapturableOperator {
 public:
  Crop() noexcept : CapturableOperator(Geometry::Changed) {}
  void declare(Interface& interface) override;

 private:
  [[nodiscard]] ImageShape result_shape(const InputImage& input) const override;
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;
  template <class T>
  [[nodiscard]] kernels::ImageView<const T> part_of(kernels::ImageView<const T> in,
                                                    const ImageShape& shape) const;

  Parameter<std::int32_t> left_;
  Parameter<std::int32_t> top_;
  Parameter<std::int32_t> width_;
  Parameter<std::int32_t> height_;
};

}  // namespace gxr::image

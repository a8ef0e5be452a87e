#pragma once

#include <cstdint>
#include <utility>

#include "gxr/kernels/orient.hpp"
#include "image/capturable_operator.hpp"

namespace gxr {
namespace image {

/// Base of the operators that lay a picture anew.
class OrientationOperator : public CapturableOperator {
 protected:
  OrientationOperator() noexcept : CapturableOperator(Geometry::Changed) {}
  [[nodiscard]] virtual kernels::Orientation orientation() const = 0;

 private:
  [[nodiscard]] ImageShape result_shape(const InputImage& input) const final;
  void compute_on_host(const Work& work) final;
  void launch(const Work& work, const KernelPlace& place) final;
};

enum class FlipAxis : std::uint8_t { Horizontal, Vertical, Both };

/// Mirrors a picture.
class Flip final : public OrientationOperator {
 public:
  void declare(Interface& interface) override;

 private:
  [[nodiscard]] kernels::Orientation orientation() const override;

  Parameter<FlipAxis> axis_;
};

/// Turns a picture by quarters.
class Rotate final : public OrientationOperator {
 public:
  void declare(Interface& interface) override;

 private:
  [[nodiscard]] kernels::Orientation orientation() const override;

  Parameter<std::int32_t> angle_;
};

}  // namespace image

template <>
struct EnumNames<image::FlipAxis> {
  static constexpr std::pair<image::FlipAxis, const char*> values[] = {
      {image::FlipAxis::Horizontal, "horizontal"},
      {image::FlipAxis::Vertical, "vertical"},
      {image::FlipAxis::Both, "both"},
  };
};

}  // namespace gxr

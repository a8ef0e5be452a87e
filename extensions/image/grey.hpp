#pragma once

#include <utility>

#include "gxr/kernels/luma.hpp"
#include "image/capturable_operator.hpp"

namespace gxr {
namespace image {

/// Grey values of a colour picture.
class Grey final : public CapturableOperator {
 public:
  Grey() noexcept : CapturableOperator(Geometry::Kept) {}
  void declare(Interface& interface) override;

 private:
  [[nodiscard]] ImageShape result_shape(const InputImage& input) const override;
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;

  Parameter<kernels::LumaStandard> standard_;
};

}  // namespace image

template <>
struct EnumNames<kernels::LumaStandard> {
  static constexpr std::pair<kernels::LumaStandard, const char*> values[] = {
      {kernels::LumaStandard::kBt601, "bt601"},
      {kernels::LumaStandard::kBt709, "bt709"},
      {kernels::LumaStandard::kBt2020, "bt2020"},
  };
};

}  // namespace gxr

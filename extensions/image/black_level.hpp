#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "gxr/kernels/black_level.hpp"
#include "image/capturable_operator.hpp"

namespace gxr::image {

/// Takes off a raw picture what its sensor gives without light.
class BlackLevel final : public CapturableOperator {
 public:
  BlackLevel() noexcept : CapturableOperator(Geometry::Kept) {}
  void declare(Interface& interface) override;
  void initialize() override;
  void stop() override;
  [[nodiscard]] GraphTraits graph_traits() const override {
    return {.repeatable = true, .pass_through = true};
  }

 private:
  [[nodiscard]] ImageShape result_shape(const InputImage& raw) const override;
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;
  void require_capturable() const override { check_parameters(); }
  [[nodiscard]] std::size_t scratch_bytes(const InputImage& raw) const override;
  [[nodiscard]] std::vector<std::byte> parameters(const InputImage& raw) override;

  void check_parameters() const;
  [[nodiscard]] bool measures() const { return !masked_.get().empty(); }
  [[nodiscard]] kernels::PixelArea masked() const;
  [[nodiscard]] float white() const { return static_cast<float>(white_.get()); }
  void check_levels(const InputImage& raw) const;
  void check_masked(const InputImage& raw) const;
  /// Those of the parameters, for pictures of T.
  template <class T>
  [[nodiscard]] kernels::BlackLevels fixed_levels() const;
  /// Where the levels for the picture will be; those that it gives itself stay on the GPU.
  template <class T>
  const kernels::BlackLevels* device_levels(kernels::ImageView<const T> in,
                                            const KernelPlace& place);

  Parameter<std::array<double, 4>> levels_;
  Parameter<std::vector<std::int32_t>> masked_;
  Parameter<double> white_;
  DeviceConstant levels_on_device_;     // of the parameters
  kernels::BlackLevels device_levels_;  // what it holds
};

}  // namespace gxr::image

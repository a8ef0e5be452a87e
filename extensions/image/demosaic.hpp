#pragma once

#include <cstdint>
#include <utility>

#include "image/bayer_pattern.hpp"
#include "image/capturable_operator.hpp"

namespace gxr {
namespace image {

/// Where a demosaicer gets the Bayer pattern from: the message, or the YAML.
enum class PatternSource : std::uint8_t { Auto, Rggb, Bggr, Grbg, Gbrg };

/// Base of the demosaicers: a raw picture (1 channel) becomes RGB. They have the same ports and
/// parameters, so one replaces the other by its `operator:` line.
class Demosaic : public CapturableOperator {
 public:
  void declare(Interface& interface) override;

 protected:
  enum class Method { Bilinear, Malvar };
  explicit Demosaic(Method method) noexcept
      : CapturableOperator(Geometry::Changed), method_(method) {}

 private:
  [[nodiscard]] ImageShape result_shape(const InputImage& raw) const override;
  void compute_on_host(const Work& work) override;
  void launch(const Work& work, const KernelPlace& place) override;
  [[nodiscard]] kernels::BayerPattern pattern_of(const InputImage& raw) const;

  Method method_;
  Parameter<PatternSource> pattern_;
};

class DemosaicBilinear final : public Demosaic {
 public:
  DemosaicBilinear() noexcept : Demosaic(Method::Bilinear) {}
};

class DemosaicMalvar final : public Demosaic {
 public:
  DemosaicMalvar() noexcept : Demosaic(Method::Malvar) {}
};

}  // namespace image

template <>
struct EnumNames<image::PatternSource> {
  static constexpr std::pair<image::PatternSource, const char*> values[] = {
      {image::PatternSource::Auto, "auto"}, {image::PatternSource::Rggb, "RGGB"},
      {image::PatternSource::Bggr, "BGGR"}, {image::PatternSource::Grbg, "GRBG"},
      {image::PatternSource::Gbrg, "GBRG"},
  };
};

}  // namespace gxr

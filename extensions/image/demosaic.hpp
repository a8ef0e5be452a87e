#pragma once

#include <cstdint>
#include <utility>

#include "image/bayer_pattern.hpp"
#include "image/image_operator.hpp"

namespace gxr {
namespace image {

/// Where a demosaicer gets the Bayer pattern from: the message, or the YAML.
enum class PatternSource : std::uint8_t { Auto, Rggb, Bggr, Grbg, Gbrg };

/// Base of the demosaicers: a raw picture (1 channel) becomes RGB. They have the same ports and
/// parameters, so one replaces the other by its `type:` line.
class Demosaic : public ImageOperator {
 public:
  void declare(Interface& interface) override;

 protected:
  enum class Method { Bilinear, Malvar };
  explicit Demosaic(Method method) noexcept : ImageOperator(Geometry::Changed), method_(method) {}

 private:
  void process(Task& task) override;
  [[nodiscard]] kernels::BayerPattern pattern_of(const Message& message) const;

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

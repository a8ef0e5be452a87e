#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "gxr/kernels/bayer.hpp"
#include "gxr/parameter.hpp"

namespace gxr {

template <>
struct EnumNames<kernels::BayerPattern> {
  static constexpr std::pair<kernels::BayerPattern, const char*> values[] = {
      {kernels::BayerPattern::kRggb, "RGGB"},
      {kernels::BayerPattern::kBggr, "BGGR"},
      {kernels::BayerPattern::kGrbg, "GRBG"},
      {kernels::BayerPattern::kGbrg, "GBRG"},
  };
};

namespace image {

/// Part of a message with a raw sensor picture: which colours its pixels saw. It travels without a
/// name, beside the tensor, so that a demosaicer need not be told. Operators that keep every pixel
/// where it is pass it on.
struct BayerPattern {
  kernels::BayerPattern layout = kernels::BayerPattern::kRggb;
};

/// How a CUDA graph says the same, in TensorSpec::content: "Bayer RGGB".
std::string content_of(kernels::BayerPattern layout);
/// Backwards; nothing for what is no such text.
std::optional<kernels::BayerPattern> pattern_in(std::string_view content);

}  // namespace image
}  // namespace gxr

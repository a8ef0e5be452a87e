#pragma once

#include <cstdint>
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

}  // namespace image
}  // namespace gxr

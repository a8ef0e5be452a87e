#pragma once

#include <cstddef>

#include "gxr/kernels/histogram.hpp"

/// Which bin a value counts in and how high a bar is; host and device share this.

namespace gxr::kernels {

GXR_HOST_DEVICE inline std::uint32_t bin_of(std::uint8_t value) { return value; }

GXR_HOST_DEVICE inline std::uint32_t bin_of(std::uint16_t value) {
  return static_cast<std::uint32_t>(value) >> 8U;
}

GXR_HOST_DEVICE inline std::uint32_t bin_of(float value) {
  const float scaled = value * 256.0F;
  const float above = scaled > 0.0F ? scaled : 0.0F;
  return static_cast<std::uint32_t>(static_cast<std::int32_t>(above < 255.0F ? above : 255.0F));
}

/// The largest count among the bins that column x of `width` stands for.
GXR_HOST_DEVICE inline std::uint32_t column_count(const std::uint32_t* bins, std::int64_t x,
                                                  std::int64_t width) {
  const std::int64_t begin = kHistogramBins * x / width;
  const std::int64_t next = kHistogramBins * (x + 1) / width;
  std::uint32_t largest = bins[begin];
  for (std::int64_t bin = begin + 1; bin < next; ++bin) {
    largest = bins[bin] > largest ? bins[bin] : largest;
  }
  return largest;
}

GXR_HOST_DEVICE inline std::int64_t bar_height(std::uint32_t count, std::uint32_t largest,
                                               std::int64_t height) {
  if (largest == 0) {
    return 0;
  }
  const double share = static_cast<double>(count) / static_cast<double>(largest);
  return static_cast<std::int64_t>(share * static_cast<double>(height) + 0.5);
}

}  // namespace gxr::kernels

#pragma once

#include "contract.hpp"
#include "element.hpp"
#include "gxr/kernels/black_level.hpp"

/// The arithmetic of black_level.hpp, which host and device share.

namespace gxr::kernels {

template <class T>
GXR_HOST_DEVICE T without_black(T sample, float level, float gain) {
  const float left = (static_cast<float>(sample) - level) * gain;
  if constexpr (std::is_same_v<T, float>) {
    return left > 0.0F ? left : 0.0F;
  } else {
    return quantize<T>(left);
  }
}

/// A sample as an integer, so that sums are exact.
template <class T>
GXR_HOST_DEVICE std::uint32_t black_count(T sample) {
  if constexpr (std::is_same_v<T, float>) {
    return static_cast<std::uint32_t>(clip_to_unit(sample) * 16777216.0F);
  } else {
    return sample;
  }
}

/// Indices of 0 or 1 among `pixels` that begin at number `first`.
GXR_HOST_DEVICE inline std::int64_t pixels_of_parity(std::int64_t first, std::int64_t pixels,
                                                     int parity) {
  return (pixels + ((first & 1) == parity ? 1 : 0)) / 2;
}

/// The levels that sums of black_count() over an area mean.
template <class T>
GXR_HOST_DEVICE void set_black_levels(const std::uint64_t (&sums)[4], PixelArea area, float white,
                                      BlackLevels& levels) {
  constexpr double unit = std::is_same_v<T, float> ? 16777216.0 : 1.0;
  for (int place = 0; place < 4; ++place) {
    const std::int64_t pixels = pixels_of_parity(area.left, area.width, place % 2) *
                                pixels_of_parity(area.top, area.height, place / 2);
    const double mean = static_cast<double>(sums[place]) / static_cast<double>(pixels) / unit;
    levels.level[place] = static_cast<float>(mean);
    levels.gain[place] = white == 0.0F ? 1.0F : black_level_gain<T>(levels.level[place], white);
  }
}

template <class T>
void require_black(ImageView<const T> in, ImageView<T> out, const BlackLevels* levels) {
  require_same_shape(in, out);
  require_channels(in, 1, "in");
  require(levels != nullptr, "levels must not be null");
}

template <class T>
void require_masked(ImageView<const T> image, PixelArea masked, const BlackLevels* levels) {
  require_channels(image, 1, "image");
  require(levels != nullptr, "levels must not be null");
  require(masked.width >= 2 && masked.height >= 2, "the masked area must be at least 2 x 2 pixels");
  require(masked.left >= 0 && masked.top >= 0 && masked.width <= image.width - masked.left &&
              masked.height <= image.height - masked.top,
          "the masked area must lie in the image");
}

}  // namespace gxr::kernels

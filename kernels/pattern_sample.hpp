#pragma once

#include <cmath>

#include "element.hpp"
#include "gxr/kernels/counter_noise.hpp"

/// Single samples of the test pictures; host and device share them.

namespace gxr::kernels {

/// Colour bars: bars count down in binary, green is bit 2, red bit 1, blue bit 0 of 7 - bar.
GXR_HOST_DEVICE inline bool bar_is_lit(std::int64_t bar, int channel) {
  const int bit = channel == 0 ? 1 : channel == 1 ? 2 : 0;
  return (((7 - bar) >> bit) & 1) != 0;
}

/// Zone plate: the phase of one pixel on one axis, in half turns, without the part of the frame.
GXR_HOST_DEVICE inline double axis_half_turns(std::int64_t index, std::int64_t length,
                                              std::int64_t longer_side) {
  const double distance = static_cast<double>(2 * index + 1 - length) / 2.0;
  return distance * distance / static_cast<double>(longer_side);
}

/// Zone plate: a pixel from the cosine and sine of its two axes, by
/// cos(a + b) = cos a cos b - sin a sin b.
template <class T>
GXR_HOST_DEVICE T zone_plate_sample(float cosine, float sine, float row_cosine, float row_sine) {
  const float wave = std::fma(cosine, row_cosine, -(sine * row_sine));
  return from_unit<T>(std::fma(0.5F, wave, 0.5F));
}

/// Noise: sample number i of the row that `key` stands for. Integers share 32 random bits, the
/// lowest for the first of them.
template <class T>
GXR_HOST_DEVICE T uniform_sample(NoiseKey key, std::uint32_t i) {
  if constexpr (std::is_same_v<T, float>) {
    const std::uint32_t bits = noise_bits(key, i);
    return static_cast<float>(static_cast<std::int32_t>(bits >> 8U)) * (1.0F / 16777216.0F);
  } else {
    constexpr std::uint32_t together = 4U / sizeof(T);
    return static_cast<T>(noise_bits(key, i / together) >> (i % together * (32U / together)));
  }
}

}  // namespace gxr::kernels

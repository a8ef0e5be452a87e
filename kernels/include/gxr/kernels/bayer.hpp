#pragma once

#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

namespace gxr::kernels {

/// Colour filter array: the colours of pixels (0,0), (1,0) of the first and of the second row.
enum class BayerPattern : std::uint8_t { kRggb, kBggr, kGrbg, kGbrg };

/// Column parity of the red sites (0 or 1).
GXR_HOST_DEVICE constexpr int red_column(BayerPattern pattern) {
  return pattern == BayerPattern::kBggr || pattern == BayerPattern::kGrbg ? 1 : 0;
}

/// Row parity of the red sites (0 or 1).
GXR_HOST_DEVICE constexpr int red_row(BayerPattern pattern) {
  return pattern == BayerPattern::kBggr || pattern == BayerPattern::kGbrg ? 1 : 0;
}

/// Which channel (0 red, 1 green, 2 blue) the sensor sees at column x, row y.
GXR_HOST_DEVICE constexpr int bayer_channel(BayerPattern pattern, std::int64_t x, std::int64_t y) {
  const bool in_red_column = (x & 1) == red_column(pattern);
  const bool in_red_row = (y & 1) == red_row(pattern);
  if (in_red_column != in_red_row) {
    return 1;
  }
  return in_red_row ? 0 : 2;
}

/// Additive sensor noise; the same (seed, frame) gives the same noise (see counter_noise.hpp).
struct SensorNoise {
  float sigma = 0.0F;  ///< standard deviation in parts of full scale; 0: no noise
  std::uint64_t seed = 0;
  std::uint64_t frame = 0;
};

/// Samples an RGB picture as a sensor with a colour filter array does.
/// `rgb`: H x W x 3. `bayer`: H x W x 1. Noise is Gaussian-like (noise_normal), added in parts of
/// full scale, rounded to nearest for integers, and clipped to the range of T (float: 0..1).
/// Without noise samples are copied as they are.
/// Throws std::invalid_argument if shapes differ, or sigma is negative or not finite.
template <class T>
void mosaic_bayer(ImageInput<T> rgb, ImageView<T> bayer, BayerPattern pattern,
                  SensorNoise noise = {});

/// The same on a CUDA stream.
template <class T>
void mosaic_bayer(ImageInput<T> rgb, ImageView<T> bayer, BayerPattern pattern, SensorNoise noise,
                  Stream stream);

}  // namespace gxr::kernels

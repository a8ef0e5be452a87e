#pragma once

#include <cstddef>
#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

/// Optical-black correction: what a sensor gives without light is taken off its pictures.

namespace gxr::kernels {

/// For each place of the sensor's colours: columns 0 and 1 of even rows, then of odd rows.
/// Levels are in units of the picture's elements.
struct BlackLevels {
  float level[4] = {0.0F, 0.0F, 0.0F, 0.0F};
  float gain[4] = {1.0F, 1.0F, 1.0F, 1.0F};  ///< on what is left
};

/// The gain that makes full scale of `white`: full / (white - level). `white` counts as one step
/// (1 of integers, 1/65535 of float) above the level where it is not.
template <class T>
GXR_HOST_DEVICE float black_level_gain(float level, float white) {
  const float step = full_scale<T>() == 1.0F ? 1.0F / 65535.0F : 1.0F;
  const float span = white - level;
  return full_scale<T>() / (span > step ? span : step);
}

/// A part of a picture, in pixels.
struct PixelArea {
  std::int64_t left = 0;
  std::int64_t top = 0;
  std::int64_t width = 0;
  std::int64_t height = 0;
};

/// out = max(0, (in - level) * gain), in single precision; integers are rounded half up and clipped
/// to their range, float is not clipped above, not-a-number becomes 0. Pictures have 1 channel. In
/// place is allowed. Throws std::invalid_argument unless shapes agree and have 1 channel.
template <class T>
void subtract_black(ImageInput<T> in, ImageView<T> out, const BlackLevels& levels);

/// The same on a CUDA stream; `levels` lies in device memory.
template <class T>
void subtract_black(ImageInput<T> in, ImageView<T> out, const BlackLevels* levels, Stream stream);

/// Levels are the means of the pixels in `masked`, for each place of the colours; gains make full
/// scale of `white`, or are 1 if `white` is 0. Sums are exact; elements of float count in steps of
/// 2^-24 from 0 to 1.
/// Throws std::invalid_argument unless the picture has 1 channel, and the area lies in it and is at
/// least 2 x 2.
template <class T>
void measure_black(ImageView<const T> image, PixelArea masked, float white, BlackLevels* levels);

/// The same on a CUDA stream; `levels` lies in device memory.
template <class T>
void measure_black(ImageView<const T> image, PixelArea masked, float white, BlackLevels* levels,
                   void* workspace, Stream stream);
constexpr std::size_t measure_black_workspace_bytes() { return 512 * 4 * sizeof(std::uint64_t); }

}  // namespace gxr::kernels

#pragma once

#include <cstddef>
#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

namespace gxr::kernels {

/// Limits of mean luminance in parts of full scale, 0..1, each above the one before.
struct BrightnessThresholds {
  static constexpr int kMost = 16;

  double of[kMost] = {};
  int count = 0;
};

/// Writes to `number` how many thresholds the mean luminance of a picture reaches. Luminance is
/// 0.2126 red + 0.7152 green + 0.0722 blue of the values as they are (ITU-R BT.709, which means
/// linear light); of one or two channels it is the first. Sums are exact: float is taken in steps
/// of 1/65535, clipped to 0..1, not-a-number as 0. A mean within 1/20000 of an integer's step (of
/// 1/65535 for float) below a threshold may count as reaching it.
/// Throws std::invalid_argument if `number` is null, there are 2^32 pixels or more, or the
/// thresholds are not as they should be.
void brightness_class(ImageView<const std::uint8_t> image, const BrightnessThresholds& thresholds,
                      std::int32_t* number);
void brightness_class(ImageView<const std::uint16_t> image, const BrightnessThresholds& thresholds,
                      std::int32_t* number);
void brightness_class(ImageView<const float> image, const BrightnessThresholds& thresholds,
                      std::int32_t* number);

/// The same on a CUDA stream, with the same result; `thresholds` is read before it returns.
void brightness_class(ImageView<const std::uint8_t> image, const BrightnessThresholds& thresholds,
                      std::int32_t* number, void* workspace, Stream stream);
void brightness_class(ImageView<const std::uint16_t> image, const BrightnessThresholds& thresholds,
                      std::int32_t* number, void* workspace, Stream stream);
void brightness_class(ImageView<const float> image, const BrightnessThresholds& thresholds,
                      std::int32_t* number, void* workspace, Stream stream);
constexpr std::size_t brightness_workspace_bytes() { return 512 * 3 * sizeof(std::uint64_t); }

}  // namespace gxr::kernels

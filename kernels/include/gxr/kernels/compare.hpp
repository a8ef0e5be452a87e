#pragma once

#include <cstdint>

#include "gxr/kernels/image_view.hpp"

/// How far two pictures of the same shape differ, over all channels, with `border` pixels left out
/// on each side. All throw std::invalid_argument if shapes differ, `border` is negative, or
/// nothing is left inside it.

namespace gxr::kernels {

/// Mean of the squared differences, in units of T squared.
double mean_squared_error(ImageView<const std::uint8_t> a, ImageView<const std::uint8_t> b,
                          std::int64_t border = 0);
double mean_squared_error(ImageView<const std::uint16_t> a, ImageView<const std::uint16_t> b,
                          std::int64_t border = 0);
double mean_squared_error(ImageView<const float> a, ImageView<const float> b,
                          std::int64_t border = 0);

/// Peak signal-to-noise ratio in dB, 10 log10(full_scale^2 / mean squared error); infinity for
/// equal pictures.
double psnr(ImageView<const std::uint8_t> a, ImageView<const std::uint8_t> b,
            std::int64_t border = 0);
double psnr(ImageView<const std::uint16_t> a, ImageView<const std::uint16_t> b,
            std::int64_t border = 0);
double psnr(ImageView<const float> a, ImageView<const float> b, std::int64_t border = 0);

/// Largest absolute difference, in units of T; not-a-number if an element of either is.
double max_abs_difference(ImageView<const std::uint8_t> a, ImageView<const std::uint8_t> b,
                          std::int64_t border = 0);
double max_abs_difference(ImageView<const std::uint16_t> a, ImageView<const std::uint16_t> b,
                          std::int64_t border = 0);
double max_abs_difference(ImageView<const float> a, ImageView<const float> b,
                          std::int64_t border = 0);

}  // namespace gxr::kernels

#pragma once

#include <cstddef>
#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

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

/// The same on a CUDA stream; `result` is one number in device memory. Integer pictures give the
/// host's mean squared error and difference exactly; the mean of float pictures may differ by
/// 1e-12 of its value (the sum is formed in another order, always the same one), psnr by 1e-9 dB.
void mean_squared_error(ImageView<const std::uint8_t> a, ImageView<const std::uint8_t> b,
                        std::int64_t border, double* result, void* workspace, Stream stream);
void mean_squared_error(ImageView<const std::uint16_t> a, ImageView<const std::uint16_t> b,
                        std::int64_t border, double* result, void* workspace, Stream stream);
void mean_squared_error(ImageView<const float> a, ImageView<const float> b, std::int64_t border,
                        double* result, void* workspace, Stream stream);
void psnr(ImageView<const std::uint8_t> a, ImageView<const std::uint8_t> b, std::int64_t border,
          double* result, void* workspace, Stream stream);
void psnr(ImageView<const std::uint16_t> a, ImageView<const std::uint16_t> b, std::int64_t border,
          double* result, void* workspace, Stream stream);
void psnr(ImageView<const float> a, ImageView<const float> b, std::int64_t border, double* result,
          void* workspace, Stream stream);
void max_abs_difference(ImageView<const std::uint8_t> a, ImageView<const std::uint8_t> b,
                        std::int64_t border, double* result, void* workspace, Stream stream);
void max_abs_difference(ImageView<const std::uint16_t> a, ImageView<const std::uint16_t> b,
                        std::int64_t border, double* result, void* workspace, Stream stream);
void max_abs_difference(ImageView<const float> a, ImageView<const float> b, std::int64_t border,
                        double* result, void* workspace, Stream stream);
std::size_t compare_workspace_bytes();

}  // namespace gxr::kernels

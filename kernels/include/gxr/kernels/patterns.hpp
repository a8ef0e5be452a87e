#pragma once

#include <cstddef>
#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

/// Test pictures. `rgb` has 3 channels; T is uint8_t, uint16_t or float.

namespace gxr::kernels {

/// Eight vertical bars of equal width, left to right white, yellow, cyan, green, magenta, red,
/// blue, black. `level` is the intensity of a lit channel, 0..1 of full scale (0.75: the 75 % bars
/// of EBU and SMPTE test signals).
/// Column x belongs to bar floor(8 x / width). Throws std::invalid_argument if `level` is not in
/// 0..1.
template <class T>
void draw_color_bars(ImageView<T> rgb, float level = 0.75F);

/// The same on a CUDA stream.
template <class T>
void draw_color_bars(ImageView<T> rgb, float level, Stream stream);

/// Grey circular zone plate whose rings move outwards: with r the distance to the picture's centre
/// in pixels and R half its longer side,
/// value = 0.5 + 0.5 cos(pi r^2 / (2 R) - 2 pi frame cycles_per_frame), in parts of full scale.
/// The spatial frequency grows with r and reaches Nyquist (0.5 cycles per pixel) at r = R.
/// Throws std::invalid_argument if `cycles_per_frame` is not finite.
template <class T>
void draw_zone_plate(ImageView<T> rgb, std::uint64_t frame, double cycles_per_frame = 1.0 / 32.0);

/// The same on a CUDA stream; may differ by one integer step, or 1e-5 for float.
template <class T>
void draw_zone_plate(ImageView<T> rgb, std::uint64_t frame, double cycles_per_frame,
                     void* workspace, Stream stream);
std::size_t zone_plate_workspace_bytes(std::int64_t width, std::int64_t height);

/// Uniform noise over the whole range, independent in all channels; the same (seed, frame) gives
/// the same picture everywhere (see counter_noise.hpp). Sample number i = x * 3 + c of row y:
/// uint8_t takes byte i % 4 of the bits number i / 4, uint16_t half i % 2 of the bits number i / 2,
/// counted from the lowest, float the top 24 of the bits number i times 2^-24.
template <class T>
void draw_noise(ImageView<T> rgb, std::uint64_t seed, std::uint64_t frame = 0);

/// The same on a CUDA stream.
template <class T>
void draw_noise(ImageView<T> rgb, std::uint64_t seed, std::uint64_t frame, Stream stream);

}  // namespace gxr::kernels

#pragma once

#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

/// Scaling to the size of `out`. T is uint8_t, uint16_t or float; any 1 to 4 channels, the same
/// number on both sides. Pixel centres are aligned: centre x + 0.5 of the output lies at
/// (x + 0.5) * in.width / out.width of the input. Sums are formed in float with fused
/// multiply-adds; integers are rounded to nearest. The same size copies exactly. Throws
/// std::invalid_argument if the channels differ, or a side of `in` is above 2^24.

namespace gxr::kernels {

/// The input pixel that holds the output pixel's centre; values are copied.
template <class T>
void resize_nearest(ImageInput<T> in, ImageView<T> out);

/// The same on a CUDA stream.
template <class T>
void resize_nearest(ImageInput<T> in, ImageView<T> out, Stream stream);

/// Linear between the two nearest pixel centres in each direction; beyond the outermost centres the
/// edge pixel counts. Shrinking by more than 2 skips pixels: use resize_area.
template <class T>
void resize_bilinear(ImageInput<T> in, ImageView<T> out);

/// The same on a CUDA stream.
template <class T>
void resize_bilinear(ImageInput<T> in, ImageView<T> out, Stream stream);

/// Mean over the box that the output pixel covers in the input, pixels at the rim counted by their
/// covered part. A direction that is not made smaller is interpolated as by resize_bilinear.
template <class T>
void resize_area(ImageInput<T> in, ImageView<T> out);

/// The same on a CUDA stream.
template <class T>
void resize_area(ImageInput<T> in, ImageView<T> out, Stream stream);

}  // namespace gxr::kernels

#pragma once

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

/// One number for each channel.

namespace gxr::kernels {

/// out[c] = in[c] * factors[c] for all channels, in single precision. Integers are rounded half up
/// and clipped; float is not clipped. `factors` has as many numbers as the picture channels. In
/// place is allowed. Throws std::invalid_argument unless shapes agree and factors are finite.
template <class T>
void scale_channels(ImageInput<T> in, ImageView<T> out, const float* factors);

/// The same on a CUDA stream; `factors` is in host memory and read before the call returns.
template <class T>
void scale_channels(ImageInput<T> in, ImageView<T> out, const float* factors, Stream stream);

/// All pixels become `color`, a number for each channel in units of T, rounded half up and clipped
/// for integers. Throws std::invalid_argument unless the numbers are finite.
template <class T>
void fill_channels(ImageView<T> image, const float* color);

/// The same on a CUDA stream; `color` is in host memory and read before the call returns.
template <class T>
void fill_channels(ImageView<T> image, const float* color, Stream stream);

}  // namespace gxr::kernels

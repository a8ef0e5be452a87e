#pragma once

#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

/// Element types and channel layout: the two things that Holoscan's FormatConverter does.

namespace gxr::kernels {

/// The float values that stand for an integer's 0 and its full scale.
struct ScaleRange {
  float scale_min = 0.0F;
  float scale_max = 1.0F;
};

/// Converts the element type; shapes agree, Out is uint8_t, uint16_t or float. With full = 255 or
/// 65535:
///
///   integer -> float   out = scale_min + in / full * (scale_max - scale_min)
///   float -> integer   out = round(clamp((in - scale_min) / (scale_max - scale_min), 0, 1) *
///   full),
///                      half up; not-a-number becomes 0
///   uint8 -> uint16    out = in * 257            (0..255 to 0..65535; the range is not used)
///   uint16 -> uint8    out = round(in / 257)     (the range is not used)
///   same type          a copy                    (the range is not used)
///
/// Throws std::invalid_argument if shapes differ, or unless scale_min < scale_max and both finite.
template <class Out>
void convert_elements(ImageView<const std::uint8_t> in, ImageView<Out> out, ScaleRange range = {});
template <class Out>
void convert_elements(ImageView<const std::uint16_t> in, ImageView<Out> out, ScaleRange range = {});
template <class Out>
void convert_elements(ImageView<const float> in, ImageView<Out> out, ScaleRange range = {});

/// The same on a CUDA stream.
template <class Out>
void convert_elements(ImageView<const std::uint8_t> in, ImageView<Out> out, ScaleRange range,
                      Stream stream);
template <class Out>
void convert_elements(ImageView<const std::uint16_t> in, ImageView<Out> out, ScaleRange range,
                      Stream stream);
template <class Out>
void convert_elements(ImageView<const float> in, ImageView<Out> out, ScaleRange range,
                      Stream stream);

/// out channel c = in channel order[c] (Holoscan's `out_channel_order`). `order` has out.channels
/// entries, each 0..in.channels - 1; an entry may be left out or used twice.
/// Throws std::invalid_argument if width, height or an entry does not fit.
template <class T>
void permute_channels(ImageInput<T> in, ImageView<T> out, const int* order);

/// The same on a CUDA stream; `order` is in host memory and read before the call returns.
template <class T>
void permute_channels(ImageInput<T> in, ImageView<T> out, const int* order, Stream stream);

/// RGB (3 channels) to RGBA (4): all pixels get `alpha`, in the range of T.
/// Throws std::invalid_argument if shapes do not fit.
template <class T>
void add_alpha(ImageInput<T> rgb, ImageView<T> rgba, T alpha);

/// The same on a CUDA stream.
template <class T>
void add_alpha(ImageInput<T> rgb, ImageView<T> rgba, T alpha, Stream stream);

/// RGBA (4 channels) to RGB (3): alpha is dropped, not multiplied in.
/// Throws std::invalid_argument if shapes do not fit.
template <class T>
void drop_alpha(ImageInput<T> rgba, ImageView<T> rgb);

/// The same on a CUDA stream.
template <class T>
void drop_alpha(ImageInput<T> rgba, ImageView<T> rgb, Stream stream);

}  // namespace gxr::kernels

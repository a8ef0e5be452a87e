#pragma once

#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

namespace gxr::kernels {

/// A place in a picture, in 1/256 of a pixel from the centre of its first one.
struct PicturePlace {
  std::int32_t x;
  std::int32_t y;
};
constexpr int kPlaceBits = 8;

/// Fills `out` with what lies at `places` in `in`, one place for each of its pixels, row by row:
/// linear between the centres of pixels, with black around the picture. `out` has as many channels
/// as `in`; the size of `in` is at most 2^22. Instances: uint8_t, uint16_t, float.
template <class T>
void remap_bilinear(ImageInput<T> in, ImageView<T> out, const PicturePlace* places);

/// The same on a stream, for views and places in device memory.
template <class T>
void remap_bilinear(ImageInput<T> in, ImageView<T> out, const PicturePlace* places, Stream stream);

}  // namespace gxr::kernels

#pragma once

#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

namespace gxr::kernels {

/// How much of red, green and blue is in a grey value: of ITU-R BT.601, BT.709 and BT.2020.
enum class LumaStandard : std::uint8_t { kBt601, kBt709, kBt2020 };

/// Grey values of a picture of 3 channels, or of 4, of which the last does not count. `grey` has
/// its size and one channel. Integers: weights of 15 bits, rounded to nearest. Instances: uint8_t,
/// uint16_t, float.
template <class T>
void luma(ImageInput<T> color, ImageView<T> grey, LumaStandard standard);

/// The same on a stream, for views of device memory.
template <class T>
void luma(ImageInput<T> color, ImageView<T> grey, LumaStandard standard, Stream stream);

}  // namespace gxr::kernels

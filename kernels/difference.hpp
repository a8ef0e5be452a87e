#pragma once

#include <cstdint>
#include <type_traits>

#include "contract.hpp"

/// Differences of pictures, element by element; host and device share them.

namespace gxr::kernels {

/// The view without its outermost `border` pixels.
template <class T>
ImageView<T> inner_part(ImageView<T> image, std::int64_t border) {
  require(border >= 0 && border <= (image.width - 1) / 2 && border <= (image.height - 1) / 2,
          "border must not be negative and must leave a pixel");
  T* first = image.row(border) + border * image.channels;
  return {first, image.width - 2 * border, image.height - 2 * border, image.channels,
          image.row_stride};
}

/// |a - b| in T.
template <class T>
GXR_HOST_DEVICE T distance_between(T a, T b) {
  if constexpr (std::is_same_v<T, float>) {
    const float difference = a - b;
    return difference < 0.0F ? -difference : difference;
  } else {
    return static_cast<T>(a > b ? a - b : b - a);
  }
}

template <class T>
void require_difference(ImageView<const T> a, ImageView<const T> b, ImageView<T> out) {
  require_same_shape(a, b);
  require_image(out, "out");
  require_same_size(a, out);
  require_same_channels(a, out);
}

/// Exact for integers: a squared difference of 16-bit values fits 32 bits.
template <class T>
GXR_HOST_DEVICE auto squared_difference(T a, T b) {
  if constexpr (std::is_same_v<T, float>) {
    const double difference = static_cast<double>(a) - static_cast<double>(b);
    return difference * difference;
  } else {
    const std::uint32_t difference = distance_between(a, b);
    return difference * difference;
  }
}

template <class T>
GXR_HOST_DEVICE double absolute_difference(T a, T b) {
  const double difference = static_cast<double>(a) - static_cast<double>(b);
  return difference < 0.0 ? -difference : difference;
}

/// The larger of the two; not-a-number wins.
GXR_HOST_DEVICE inline double larger(double a, double b) { return a != a || a >= b ? a : b; }

}  // namespace gxr::kernels

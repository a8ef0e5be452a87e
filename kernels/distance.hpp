#pragma once

#include <type_traits>

#include "contract.hpp"

namespace gxr::kernels {

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
void require_distance(ImageView<const T> a, ImageView<const T> b, ImageView<T> out) {
  require_same_shape(a, b);
  require_image(out, "out");
  require_same_size(a, out);
  require_same_channels(a, out);
}

}  // namespace gxr::kernels

#pragma once

#include <cstdint>

#include "gxr/kernels/image_view.hpp"

/// Arithmetic on elements, branch-free so that loops over it vectorise; host and device share it.

namespace gxr::kernels {

/// Rounds half up and clips to T's range; not-a-number becomes 0. Float passes unchanged.
template <class T>
GXR_HOST_DEVICE T quantize(float value) {
  if constexpr (std::is_same_v<T, float>) {
    return value;
  } else {
    constexpr float top = full_scale<T>();
    const float above = value > 0.0F ? value : 0.0F;
    const float clipped = above < top ? above : top;
    return static_cast<T>(static_cast<std::int32_t>(clipped + 0.5F));
  }
}

/// `value` in parts of full scale, as T. Float is clipped to 0..1 as well.
template <class T>
GXR_HOST_DEVICE T from_unit(float value) {
  const float above = value > 0.0F ? value : 0.0F;
  const float clipped = above < 1.0F ? above : 1.0F;
  return quantize<T>(clipped * full_scale<T>());
}

}  // namespace gxr::kernels

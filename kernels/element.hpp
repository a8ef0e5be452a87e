#pragma once

#include <cstdint>

#include "gxr/kernels/image_view.hpp"

/// Arithmetic on elements, branch-free so that loops over it vectorise; host and device share it.

namespace gxr::kernels {

/// The integer part of a float from 0 to full scale + 0.5. The device adds 2^23 without rounding
/// up, which leaves the integer in the lowest bits and costs a quarter of a conversion.
template <class T>
GXR_HOST_DEVICE T integer_part(float value) {
#ifdef __CUDA_ARCH__
  return static_cast<T>(__float_as_uint(__fadd_rz(value, 8388608.0F)));
#else
  return static_cast<T>(static_cast<std::int32_t>(value));
#endif
}

/// Clips to 0..1; not-a-number becomes 0.
GXR_HOST_DEVICE inline float clip_to_unit(float value) {
#ifdef __CUDA_ARCH__
  return __saturatef(value);
#else
  const float above = value > 0.0F ? value : 0.0F;
  return above < 1.0F ? above : 1.0F;
#endif
}

/// Rounds half up and clips to T's range; not-a-number becomes 0. Float passes unchanged.
template <class T>
GXR_HOST_DEVICE T quantize(float value) {
  if constexpr (std::is_same_v<T, float>) {
    return value;
  } else {
    constexpr float top = full_scale<T>();
    const float above = value > 0.0F ? value : 0.0F;
    const float clipped = above < top ? above : top;
    return integer_part<T>(clipped + 0.5F);
  }
}

/// `value` in parts of full scale, as T. Float is clipped to 0..1 as well.
template <class T>
GXR_HOST_DEVICE T from_unit(float value) {
  const float clipped = clip_to_unit(value);
  if constexpr (std::is_same_v<T, float>) {
    return clipped;
  } else {
    return integer_part<T>(clipped * full_scale<T>() + 0.5F);
  }
}

}  // namespace gxr::kernels

#pragma once

#include <cmath>
#include <cstdint>

#include "gxr/kernels/image_view.hpp"

/// How weighted sums of pixels are formed, the same on host and device: in float, with fused
/// multiply-adds. A sum that is still to be weighted itself starts from minus zero, which adds
/// nothing, not even a sign.

namespace gxr::kernels {

constexpr float kNothing = -0.0F;

GXR_HOST_DEVICE inline float add_weighted(float sum, float weight, float value) {
  return std::fma(weight, value, sum);
}

/// What a sum that becomes a T starts from: half a step, so that integers are rounded half up.
template <class T>
GXR_HOST_DEVICE constexpr float sum_start() {
  return std::is_same_v<T, float> ? kNothing : 0.5F;
}

/// A sum from sum_start on. Those of integers are never negative.
template <class T>
GXR_HOST_DEVICE T finish_sum(float sum) {
  if constexpr (std::is_same_v<T, float>) {
    return sum;
  } else {
    constexpr float top = full_scale<T>();
    return static_cast<T>(static_cast<std::int32_t>(sum < top ? sum : top));
  }
}

}  // namespace gxr::kernels

#pragma once

#include "element.hpp"
#include "gxr/kernels/convert.hpp"

/// The arithmetic of convert_elements, which host and device share.

namespace gxr::kernels {

/// out = in * scale + offset, made once per picture.
struct Affine {
  float scale = 1.0F;
  float offset = 0.0F;
};

template <class In, class Out>
Affine affine_between(ScaleRange range) {
  const float span = range.scale_max - range.scale_min;
  if constexpr (std::is_same_v<Out, float>) {
    return {span / full_scale<In>(), range.scale_min};
  } else {
    return {full_scale<Out>() / span, -range.scale_min};
  }
}

template <class In, class Out>
GXR_HOST_DEVICE Out convert_element(In in, Affine affine) {
  if constexpr (std::is_same_v<In, Out>) {
    return in;
  } else if constexpr (std::is_same_v<Out, float>) {
    return static_cast<float>(in) * affine.scale + affine.offset;
  } else if constexpr (std::is_same_v<In, float>) {
    return quantize<Out>((in + affine.offset) * affine.scale);
  } else if constexpr (sizeof(In) < sizeof(Out)) {
    return static_cast<Out>(in * 257U);
  } else {
    return static_cast<Out>((in + 128U) / 257U);
  }
}

}  // namespace gxr::kernels

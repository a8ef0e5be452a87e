#pragma once

#include <cmath>

#include "gxr/kernels/image_view.hpp"

namespace gxr::kernels {

/// A channel's gain from the sums of green and of the channel; 1 where none can be formed. Host and
/// device share this.
GXR_HOST_DEVICE inline float gain_between(double green, double channel) {
  if (!(channel > 0.0) || !(green > 0.0)) {
    return 1.0F;
  }
  const auto gain = static_cast<float>(green / channel);
  return std::isfinite(gain) ? gain : 1.0F;
}

}  // namespace gxr::kernels

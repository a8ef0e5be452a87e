#pragma once

#include <cstdint>

#include "contract.hpp"
#include "gxr/kernels/luma.hpp"

namespace gxr::kernels {

constexpr int kLumaBits = 15;

/// In units of 2^-15, which add up to 1; and as float.
template <class T>
struct LumaWeights {
  std::uint32_t red, green, blue;

  GXR_HOST_DEVICE T of(T r, T g, T b) const {
    return static_cast<T>((red * r + green * g + blue * b + (1U << (kLumaBits - 1))) >> kLumaBits);
  }
};

template <>
struct LumaWeights<float> {
  float red, green, blue;

  GXR_HOST_DEVICE float of(float r, float g, float b) const {
    return red * r + green * g + blue * b;
  }
};

template <class T>
LumaWeights<T> luma_weights(LumaStandard standard) {
  if constexpr (sizeof(T) == sizeof(float)) {
    return standard == LumaStandard::kBt601   ? LumaWeights<T>{0.299F, 0.587F, 0.114F}
           : standard == LumaStandard::kBt709 ? LumaWeights<T>{0.2126F, 0.7152F, 0.0722F}
                                              : LumaWeights<T>{0.2627F, 0.6780F, 0.0593F};
  } else {
    return standard == LumaStandard::kBt601   ? LumaWeights<T>{9798, 19235, 3735}
           : standard == LumaStandard::kBt709 ? LumaWeights<T>{6966, 23436, 2366}
                                              : LumaWeights<T>{8608, 22217, 1943};
  }
}

template <class T>
void require_luma(ImageView<const T> color, ImageView<T> grey, LumaStandard standard) {
  require_image(color, "color");
  require(color.channels >= 3, "color has fewer than 3 channels");
  require_channels(grey, 1, "grey");
  require_same_size(color, grey);
  require(standard <= LumaStandard::kBt2020, "standard is none of the three");
}

}  // namespace gxr::kernels

#pragma once

#include <cmath>
#include <cstdint>

#include "gxr/kernels/yuv.hpp"

namespace gxr::kernels {

constexpr int kYuvBits = 16;  // behind the point

/// Constants of the standards, in real numbers.
struct YuvConstants {
  double red, green, blue;  ///< in brightness
  double luma_span;         ///< of brightness, in parts of 255
  double chroma_span;
  std::int32_t black;  ///< brightness of black

  explicit YuvConstants(YuvCoding coding) {
    red = coding.standard == LumaStandard::kBt601   ? 0.299
          : coding.standard == LumaStandard::kBt709 ? 0.2126
                                                    : 0.2627;
    blue = coding.standard == LumaStandard::kBt601   ? 0.114
           : coding.standard == LumaStandard::kBt709 ? 0.0722
                                                     : 0.0593;
    green = 1.0 - red - blue;
    const bool limited = coding.range == YuvRange::kLimited;
    luma_span = limited ? 219.0 / 255.0 : 1.0;
    chroma_span = limited ? 224.0 / 255.0 : 1.0;
    black = limited ? 16 : 0;
  }
};

inline std::int32_t fixed_point(double factor) {
  return static_cast<std::int32_t>(std::lround(factor * (1 << kYuvBits)));
}

/// Colours from brightness and differences.
struct DecodeFactors {
  std::int32_t black, luma, red_v, green_u, green_v, blue_u;

  explicit DecodeFactors(YuvCoding coding) {
    const YuvConstants c(coding);
    black = c.black;
    luma = fixed_point(1.0 / c.luma_span);
    red_v = fixed_point(2.0 * (1.0 - c.red) / c.chroma_span);
    blue_u = fixed_point(2.0 * (1.0 - c.blue) / c.chroma_span);
    green_u = fixed_point(-2.0 * (1.0 - c.blue) * c.blue / c.green / c.chroma_span);
    green_v = fixed_point(-2.0 * (1.0 - c.red) * c.red / c.green / c.chroma_span);
  }
};

/// The reverse. Grey has differences of exactly 128, and white exactly full brightness.
struct EncodeFactors {
  std::int32_t black, y_red, y_green, y_blue, u_red, u_green, u_blue, v_red, v_green, v_blue;

  explicit EncodeFactors(YuvCoding coding) {
    const YuvConstants c(coding);
    black = c.black;
    y_red = fixed_point(c.red * c.luma_span);
    y_blue = fixed_point(c.blue * c.luma_span);
    y_green = fixed_point(c.luma_span) - y_red - y_blue;
    u_blue = fixed_point(0.5 * c.chroma_span);
    u_red = fixed_point(-0.5 * c.red / (1.0 - c.blue) * c.chroma_span);
    u_green = -u_blue - u_red;
    v_red = fixed_point(0.5 * c.chroma_span);
    v_blue = fixed_point(-0.5 * c.blue / (1.0 - c.red) * c.chroma_span);
    v_green = -v_red - v_blue;
  }
};

}  // namespace gxr::kernels

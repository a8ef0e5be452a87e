#pragma once

#include <cstdint>
#include <vector>

#include "gxr/kernels/image_view.hpp"

/// How one axis of a picture is resampled: output i is the sum over t < count of
/// weight[t][i] * input[first[i] + t]; all indices lie inside the input, weights of one i sum to 1.

namespace gxr::kernels {

struct AxisTaps {
  std::int64_t count = 0;
  std::vector<std::int32_t> first;         ///< per output
  std::vector<std::vector<float>> weight;  ///< count rows, one number per output
};

AxisTaps bilinear_taps(std::int64_t in_length, std::int64_t out_length);

/// Box coverage where the axis shrinks, else bilinear_taps.
AxisTaps area_taps(std::int64_t in_length, std::int64_t out_length);

// The numbers of one output, which host and device share.

GXR_HOST_DEVICE inline std::int64_t nearest_index(std::int64_t i, std::int64_t in_length,
                                                  std::int64_t out_length) {
  return (2 * i + 1) * in_length / (2 * out_length);
}

GXR_HOST_DEVICE inline std::int64_t bilinear_tap_count(std::int64_t in_length) {
  return in_length < 2 ? in_length : 2;
}

/// The two nearest inputs; `second` is the weight of first + 1, the other has 1 - second.
struct BilinearTap {
  std::int32_t first;
  float second;
};

GXR_HOST_DEVICE inline BilinearTap bilinear_tap(std::int64_t i, std::int64_t in_length,
                                                std::int64_t out_length) {
  const double step = static_cast<double>(in_length) / static_cast<double>(out_length);
  const double center = (static_cast<double>(i) + 0.5) * step - 0.5;
  const double above = center < 0.0 ? 0.0 : center;
  const double last = static_cast<double>(in_length - 1);
  const double inside = last < above ? last : above;
  const std::int64_t largest = in_length - bilinear_tap_count(in_length);
  const std::int64_t index = static_cast<std::int64_t>(inside);
  const std::int64_t first = index < largest ? index : largest;
  return {static_cast<std::int32_t>(first),
          static_cast<float>(inside - static_cast<double>(first))};
}

/// Only where out_length < in_length.
GXR_HOST_DEVICE inline std::int64_t area_tap_count(std::int64_t in_length,
                                                   std::int64_t out_length) {
  const std::int64_t whole = (in_length + out_length - 1) / out_length;
  const std::int64_t count = in_length % out_length == 0 ? whole : whole + 1;
  return count < in_length ? count : in_length;
}

GXR_HOST_DEVICE inline std::int64_t area_first(std::int64_t i, std::int64_t in_length,
                                               std::int64_t out_length, std::int64_t count) {
  const std::int64_t first = i * in_length / out_length;
  return first < in_length - count ? first : in_length - count;
}

/// The part of output i's box that input `index` covers.
GXR_HOST_DEVICE inline float area_weight(std::int64_t i, std::int64_t index, std::int64_t in_length,
                                         std::int64_t out_length) {
  const double outputs = static_cast<double>(out_length);
  const double step = static_cast<double>(in_length) / outputs;
  const double begin = static_cast<double>(i * in_length) / outputs;
  const double end = static_cast<double>((i + 1) * in_length) / outputs;
  const double left = static_cast<double>(index);
  const double upper = left + 1.0 < end ? left + 1.0 : end;
  const double lower = begin < left ? left : begin;
  const double covered = upper - lower;
  return static_cast<float>((covered < 0.0 ? 0.0 : covered) / step);
}

}  // namespace gxr::kernels

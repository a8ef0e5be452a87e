#pragma once

#include <cstdint>
#include <numeric>
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

/// How far two neighbouring outputs lie apart in the input.
GXR_HOST_DEVICE inline double step_between(std::int64_t in_length, std::int64_t out_length) {
  return static_cast<double>(in_length) / static_cast<double>(out_length);
}

/// `step` is step_between(in_length, out_length).
GXR_HOST_DEVICE inline BilinearTap bilinear_tap(std::int64_t i, std::int64_t in_length,
                                                double step) {
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

/// Only where out_length < in_length. Boxes are in_length / out_length wide, and begin at multiples
/// of 1 / out_length where that fraction is in lowest terms.
inline std::int64_t area_tap_count(std::int64_t in_length, std::int64_t out_length) {
  const std::int64_t divisor = std::gcd(in_length, out_length);
  const std::int64_t width = in_length / divisor;
  const std::int64_t steps = out_length / divisor;
  return (width + 2 * steps - 2) / steps;
}

GXR_HOST_DEVICE inline std::int64_t area_first(std::int64_t i, std::int64_t in_length,
                                               std::int64_t out_length, std::int64_t count) {
  const std::int64_t first = i * in_length / out_length;
  return first < in_length - count ? first : in_length - count;
}

/// The part of output i's box that input `index` covers. Both lie on a line of in_length x
/// out_length units, where all borders are whole numbers.
GXR_HOST_DEVICE inline float area_weight(std::int64_t i, std::int64_t index, std::int64_t in_length,
                                         std::int64_t out_length) {
  const std::int64_t box_end = (i + 1) * in_length;
  const std::int64_t end = (index + 1) * out_length;
  const std::int64_t box_begin = i * in_length;
  const std::int64_t begin = index * out_length;
  const std::int64_t covered =
      (end < box_end ? end : box_end) - (begin < box_begin ? box_begin : begin);
  return static_cast<float>(static_cast<double>(covered < 0 ? 0 : covered) /
                            static_cast<double>(in_length));
}

/// Whether resize_bilinear mixes columns before rows, which costs less where a picture grows: both
/// axes have two taps. Else, and in area resizing, rows are mixed first.
GXR_HOST_DEVICE inline bool columns_come_first(std::int64_t in_width, std::int64_t in_height) {
  return in_width > 1 && in_height > 1;
}

/// Whether area resizing interpolates in both directions.
GXR_HOST_DEVICE inline bool shrinks_nowhere(std::int64_t in_width, std::int64_t in_height,
                                            std::int64_t out_width, std::int64_t out_height) {
  return out_width >= in_width && out_height >= in_height;
}

}  // namespace gxr::kernels

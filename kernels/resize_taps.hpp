#pragma once

#include <cstdint>
#include <vector>

namespace gxr::kernels {

/// How one axis of a picture is resampled: output i is the sum over t < count of
/// weight[t][i] * input[first[i] + t]; all indices lie inside the input, weights of one i sum to 1.
struct AxisTaps {
  std::int64_t count = 0;
  std::vector<std::int32_t> first;         ///< per output
  std::vector<std::vector<float>> weight;  ///< count rows, one number per output
};

AxisTaps bilinear_taps(std::int64_t in_length, std::int64_t out_length);

/// Box coverage where the axis shrinks, else bilinear_taps.
AxisTaps area_taps(std::int64_t in_length, std::int64_t out_length);

}  // namespace gxr::kernels

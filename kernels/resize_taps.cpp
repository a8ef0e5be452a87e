#include "resize_taps.hpp"

namespace gxr::kernels {
namespace {

AxisTaps make_taps(std::int64_t count, std::int64_t out_length) {
  const auto outputs = static_cast<std::size_t>(out_length);
  const auto rows = static_cast<std::size_t>(count);
  return {count, std::vector<std::int32_t>(outputs),
          std::vector<std::vector<float>>(rows, std::vector<float>(outputs))};
}

}  // namespace

AxisTaps bilinear_taps(std::int64_t in_length, std::int64_t out_length) {
  AxisTaps taps = make_taps(bilinear_tap_count(in_length), out_length);
  const double step = step_between(in_length, out_length);
  for (std::size_t i = 0; i < taps.first.size(); ++i) {
    const BilinearTap tap = bilinear_tap(static_cast<std::int64_t>(i), in_length, step);
    taps.first[i] = tap.first;
    taps.weight.front()[i] = 1.0F - tap.second;
    if (taps.count == 2) {
      taps.weight[1][i] = tap.second;
    }
  }
  return taps;
}

AxisTaps area_taps(std::int64_t in_length, std::int64_t out_length) {
  if (out_length >= in_length) {
    return bilinear_taps(in_length, out_length);
  }
  AxisTaps taps = make_taps(area_tap_count(in_length, out_length), out_length);
  for (std::size_t i = 0; i < taps.first.size(); ++i) {
    const auto output = static_cast<std::int64_t>(i);
    const std::int64_t first = area_first(output, in_length, out_length, taps.count);
    taps.first[i] = static_cast<std::int32_t>(first);
    for (std::int64_t t = 0; t < taps.count; ++t) {
      taps.weight[static_cast<std::size_t>(t)][i] =
          area_weight(output, first + t, in_length, out_length);
    }
  }
  return taps;
}

}  // namespace gxr::kernels

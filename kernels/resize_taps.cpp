#include "resize_taps.hpp"

#include <algorithm>
#include <cmath>

namespace gxr::kernels {
namespace {

AxisTaps make_taps(std::int64_t count, std::int64_t out_length) {
  const auto outputs = static_cast<std::size_t>(out_length);
  const auto rows = static_cast<std::size_t>(count);
  return {count, std::vector<std::int32_t>(outputs),
          std::vector<std::vector<float>>(rows, std::vector<float>(outputs))};
}

/// Length of the part of pixel `index` that lies between `begin` and `end`.
double coverage(std::int64_t index, double begin, double end) {
  const auto left = static_cast<double>(index);
  return std::max(0.0, std::min(end, left + 1.0) - std::max(begin, left));
}

}  // namespace

AxisTaps bilinear_taps(std::int64_t in_length, std::int64_t out_length) {
  AxisTaps taps = make_taps(std::min<std::int64_t>(in_length, 2), out_length);
  const double step = static_cast<double>(in_length) / static_cast<double>(out_length);
  for (std::size_t i = 0; i < taps.first.size(); ++i) {
    const double center = (static_cast<double>(i) + 0.5) * step - 0.5;
    const double inside = std::clamp(center, 0.0, static_cast<double>(in_length - 1));
    const auto first = std::min(static_cast<std::int64_t>(inside), in_length - taps.count);
    const auto fraction = static_cast<float>(inside - static_cast<double>(first));
    taps.first[i] = static_cast<std::int32_t>(first);
    taps.weight.front()[i] = 1.0F - fraction;
    if (taps.count == 2) {
      taps.weight[1][i] = fraction;
    }
  }
  return taps;
}

AxisTaps area_taps(std::int64_t in_length, std::int64_t out_length) {
  if (out_length >= in_length) {
    return bilinear_taps(in_length, out_length);
  }
  const std::int64_t whole = (in_length + out_length - 1) / out_length;
  const bool exact = in_length % out_length == 0;
  AxisTaps taps = make_taps(std::min(in_length, exact ? whole : whole + 1), out_length);
  const double step = static_cast<double>(in_length) / static_cast<double>(out_length);
  for (std::size_t i = 0; i < taps.first.size(); ++i) {
    const auto output = static_cast<std::int64_t>(i);
    const std::int64_t first = std::min(output * in_length / out_length, in_length - taps.count);
    const double begin = static_cast<double>(output * in_length) / static_cast<double>(out_length);
    const double end =
        static_cast<double>((output + 1) * in_length) / static_cast<double>(out_length);
    taps.first[i] = static_cast<std::int32_t>(first);
    for (std::int64_t t = 0; t < taps.count; ++t) {
      taps.weight[static_cast<std::size_t>(t)][i] =
          static_cast<float>(coverage(first + t, begin, end) / step);
    }
  }
  return taps;
}

}  // namespace gxr::kernels

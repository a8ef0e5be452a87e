#include "gxr/kernels/compare.hpp"

#include <cmath>
#include <limits>

#include "difference.hpp"

namespace gxr::kernels {
namespace {

template <class T>
double squared_error_of_row(const T* a, const T* b, std::int64_t count) {
  std::conditional_t<std::is_same_v<T, float>, double, std::uint64_t> sum{};
  for (std::int64_t i = 0; i < count; ++i) {
    sum += squared_difference(a[i], b[i]);
  }
  return static_cast<double>(sum);
}

template <class T>
double squared_error(ImageView<const T> a, ImageView<const T> b, std::int64_t border) {
  require_same_shape(a, b);
  const auto inner_a = inner_part(a, border);
  const auto inner_b = inner_part(b, border);
  double sum = 0.0;
  for (std::int64_t y = 0; y < inner_a.height; ++y) {
    sum += squared_error_of_row(inner_a.row(y), inner_b.row(y), inner_a.row_elements());
  }
  return sum / static_cast<double>(inner_a.row_elements() * inner_a.height);
}

template <class T>
double signal_to_noise(ImageView<const T> a, ImageView<const T> b, std::int64_t border) {
  const double error = squared_error(a, b, border);
  const double peak = static_cast<double>(full_scale<T>());
  return error == 0.0 ? std::numeric_limits<double>::infinity()
                      : 10.0 * std::log10(peak * peak / error);
}

template <class T>
double largest_difference(ImageView<const T> a, ImageView<const T> b, std::int64_t border) {
  require_same_shape(a, b);
  const auto inner_a = inner_part(a, border);
  const auto inner_b = inner_part(b, border);
  double largest = 0.0;
  for (std::int64_t y = 0; y < inner_a.height; ++y) {
    const T* line_a = inner_a.row(y);
    const T* line_b = inner_b.row(y);
    for (std::int64_t i = 0; i < inner_a.row_elements(); ++i) {
      largest = larger(largest, absolute_difference(line_a[i], line_b[i]));
    }
  }
  return largest;
}

}  // namespace

double mean_squared_error(ImageView<const std::uint8_t> a, ImageView<const std::uint8_t> b,
                          std::int64_t border) {
  return squared_error(a, b, border);
}

double mean_squared_error(ImageView<const std::uint16_t> a, ImageView<const std::uint16_t> b,
                          std::int64_t border) {
  return squared_error(a, b, border);
}

double mean_squared_error(ImageView<const float> a, ImageView<const float> b, std::int64_t border) {
  return squared_error(a, b, border);
}

double psnr(ImageView<const std::uint8_t> a, ImageView<const std::uint8_t> b, std::int64_t border) {
  return signal_to_noise(a, b, border);
}

double psnr(ImageView<const std::uint16_t> a, ImageView<const std::uint16_t> b,
            std::int64_t border) {
  return signal_to_noise(a, b, border);
}

double psnr(ImageView<const float> a, ImageView<const float> b, std::int64_t border) {
  return signal_to_noise(a, b, border);
}

double max_abs_difference(ImageView<const std::uint8_t> a, ImageView<const std::uint8_t> b,
                          std::int64_t border) {
  return largest_difference(a, b, border);
}

double max_abs_difference(ImageView<const std::uint16_t> a, ImageView<const std::uint16_t> b,
                          std::int64_t border) {
  return largest_difference(a, b, border);
}

double max_abs_difference(ImageView<const float> a, ImageView<const float> b, std::int64_t border) {
  return largest_difference(a, b, border);
}

}  // namespace gxr::kernels

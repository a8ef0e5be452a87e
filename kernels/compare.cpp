#include "gxr/kernels/compare.hpp"

#include <cmath>
#include <limits>

#include "contract.hpp"

namespace gxr::kernels {
namespace {

/// The view without its outermost `border` pixels.
template <class T>
ImageView<T> inner_part(ImageView<T> image, std::int64_t border) {
  require(border >= 0 && border <= (image.width - 1) / 2 && border <= (image.height - 1) / 2,
          "border must not be negative and must leave a pixel");
  T* first = image.row(border) + border * image.channels;
  return {first, image.width - 2 * border, image.height - 2 * border, image.channels,
          image.row_stride};
}

/// Exact for integers: a squared difference of 16-bit values fits 32 bits.
template <class T>
auto squared_difference(T a, T b) {
  if constexpr (std::is_same_v<T, float>) {
    const double difference = static_cast<double>(a) - static_cast<double>(b);
    return difference * difference;
  } else {
    const std::uint32_t difference = a > b ? std::uint32_t{a} - b : std::uint32_t{b} - a;
    return difference * difference;
  }
}

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

/// The larger of the two; not-a-number wins.
double larger(double a, double b) { return std::isnan(a) || a >= b ? a : b; }

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
      largest = larger(largest,
                       std::abs(static_cast<double>(line_a[i]) - static_cast<double>(line_b[i])));
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

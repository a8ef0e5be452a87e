#pragma once

#include <array>
#include <cstdint>
#include <type_traits>

#include "element.hpp"
#include "gxr/kernels/image_view.hpp"

/// Sums of a picture's colours: of red, green and blue, or of grey alone where there are fewer than
/// three channels. What is added of an element, and in which type, a Sample says; host and device
/// share those.

namespace gxr::kernels {

/// Elements as they are. Sums of integers are exact, those of floats keep to double.
template <class T>
struct PlainSample {
  using Total = std::conditional_t<std::is_same_v<T, float>, double, std::uint64_t>;
  GXR_HOST_DEVICE static T of(T value) { return value; }
};

/// Elements as integers, floats in steps of 1/65535: all sums are exact.
template <class T>
struct LevelSample {
  using Total = std::uint64_t;
  using Level = std::conditional_t<std::is_same_v<T, float>, std::uint16_t, T>;

  GXR_HOST_DEVICE static Level of(T value) {
    if constexpr (std::is_same_v<T, float>) {
      return from_unit<Level>(value);
    } else {
      return value;
    }
  }
};

GXR_HOST_DEVICE constexpr int colors_of(std::int64_t channels) { return channels < 3 ? 1 : 3; }

template <class Sample>
using ColorTotals = std::array<typename Sample::Total, 3>;

template <class Sample, int Colors, class T>
void add_color_row(const T* in, std::int64_t width, std::int64_t channels,
                   ColorTotals<Sample>& totals) {
  typename Sample::Total row[Colors] = {};
  for (std::int64_t x = 0; x < width; ++x, in += channels) {
    for (int c = 0; c < Colors; ++c) {
      row[c] += Sample::of(in[c]);
    }
  }
  for (std::size_t c = 0; c < Colors; ++c) {
    totals[c] += row[c];
  }
}

/// On the host.
template <class Sample, class T>
ColorTotals<Sample> color_totals(ImageView<const T> image) {
  ColorTotals<Sample> totals{};
  const auto add_row =
      colors_of(image.channels) == 1 ? &add_color_row<Sample, 1, T> : &add_color_row<Sample, 3, T>;
  for (std::int64_t y = 0; y < image.height; ++y) {
    add_row(image.row(y), image.width, image.channels, totals);
  }
  return totals;
}

}  // namespace gxr::kernels

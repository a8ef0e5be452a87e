#include "gxr/kernels/patterns.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <numbers>
#include <vector>

#include "arguments.hpp"
#include "pattern_sample.hpp"
#include "vector_dispatch.hpp"

namespace gxr::kernels {
namespace {

template <class T>
void copy_first_row_down(ImageView<T> image) {
  const auto bytes = static_cast<std::size_t>(image.row_elements()) * sizeof(T);
  for (std::int64_t y = 1; y < image.height; ++y) {
    std::memcpy(image.row(y), image.row(0), bytes);
  }
}

/// Cosine and sine of the part of a zone plate's phase that belongs to one axis.
struct AxisPhase {
  std::vector<float> cosine;
  std::vector<float> sine;
};

AxisPhase axis_phase(std::int64_t length, std::int64_t longer_side, double offset) {
  AxisPhase phase;
  for (std::int64_t i = 0; i < length; ++i) {
    const double distance = static_cast<double>(2 * i + 1 - length) / 2.0;
    const double angle =
        std::numbers::pi * distance * distance / static_cast<double>(longer_side) - offset;
    phase.cosine.push_back(static_cast<float>(std::cos(angle)));
    phase.sine.push_back(static_cast<float>(std::sin(angle)));
  }
  return phase;
}

template <class T>
void zone_plate_row(const float* cosine, const float* sine, float row_cosine, float row_sine,
                    T* __restrict out, std::int64_t width) {
  for (std::int64_t x = 0; x < width; ++x) {
    const T value = zone_plate_sample<T>(cosine[x], sine[x], row_cosine, row_sine);
    out[3 * x] = value;
    out[3 * x + 1] = value;
    out[3 * x + 2] = value;
  }
}

template <class T>
void noise_row(NoiseKey key, T* out, std::uint32_t count) {
  for (std::uint32_t i = 0; i < count; ++i) {
    out[i] = uniform_sample<T>(key, i);
  }
}

}  // namespace

template <class T>
void draw_color_bars(ImageView<T> rgb, float level) {
  require_bars(rgb, level);
  const T lit = from_unit<T>(level);
  T* out = rgb.row(0);
  for (std::int64_t i = 0; i < rgb.row_elements(); ++i) {
    const std::int64_t bar = (i / 3) * 8 / rgb.width;
    out[i] = bar_is_lit(bar, static_cast<int>(i % 3)) ? lit : T{0};
  }
  copy_first_row_down(rgb);
}

template <class T>
void draw_zone_plate(ImageView<T> rgb, std::uint64_t frame, double cycles_per_frame) {
  require_plate(rgb, cycles_per_frame);
  const std::int64_t longer_side = std::max(rgb.width, rgb.height);
  const double cycles = std::fmod(static_cast<double>(frame) * cycles_per_frame, 1.0);
  const AxisPhase columns = axis_phase(rgb.width, longer_side, 0.0);
  const AxisPhase rows = axis_phase(rgb.height, longer_side, 2.0 * std::numbers::pi * cycles);
  for (std::int64_t y = 0; y < rgb.height; ++y) {
    const auto index = static_cast<std::size_t>(y);
    run_vectorized<&zone_plate_row<T>>(columns.cosine.data(), columns.sine.data(),
                                       rows.cosine[index], rows.sine[index], rgb.row(y), rgb.width);
  }
}

template <class T>
void draw_noise(ImageView<T> rgb, std::uint64_t seed, std::uint64_t frame) {
  require_channels(rgb, 3, "rgb");
  const auto count = static_cast<std::uint32_t>(rgb.row_elements());
  for (std::int64_t y = 0; y < rgb.height; ++y) {
    const NoiseKey key = noise_key(seed, frame, static_cast<std::uint64_t>(y));
    run_vectorized<&noise_row<T>>(key, rgb.row(y), count);
  }
}

template void draw_color_bars(ImageView<std::uint8_t>, float);
template void draw_color_bars(ImageView<std::uint16_t>, float);
template void draw_color_bars(ImageView<float>, float);
template void draw_zone_plate(ImageView<std::uint8_t>, std::uint64_t, double);
template void draw_zone_plate(ImageView<std::uint16_t>, std::uint64_t, double);
template void draw_zone_plate(ImageView<float>, std::uint64_t, double);
template void draw_noise(ImageView<std::uint8_t>, std::uint64_t, std::uint64_t);
template void draw_noise(ImageView<std::uint16_t>, std::uint64_t, std::uint64_t);
template void draw_noise(ImageView<float>, std::uint64_t, std::uint64_t);

}  // namespace gxr::kernels

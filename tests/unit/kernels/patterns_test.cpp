#include "gxr/kernels/patterns.hpp"

#include <limits>

#include "catch.hpp"
#include "gxr/kernels/compare.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {
constexpr double kPi = 3.14159265358979323846;

/// Integers may be one step off where the exact value is close to a half.
template <class T>
double wave_error() {
  return full_scale<T>() == 1.0F ? 1e-5 : full_scale<T>() == 255.0F ? 0.501 : 0.6;
}
}  // namespace

TEMPLATE_TEST_CASE("colour bars stand in the usual order", "[kernels][patterns]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  const double lit = expected<T>(0.75 * static_cast<double>(full_scale<T>()));
  // White, yellow, cyan, green, magenta, red, blue, black.
  const std::string red = "11001100";
  const std::string green = "11110000";
  const std::string blue = "10101010";
  for (const std::int64_t width : {1, 5, 8, 83}) {
    Image<T> bars(width, 3, 3);
    draw_color_bars(bars.view());
    CHECK(distance(bars, [&](auto x, auto, auto c) {
            const auto bar = static_cast<std::size_t>(x * 8 / width);
            const std::string& channel = c == 0 ? red : c == 1 ? green : blue;
            return channel[bar] == '1' ? lit : 0.0;
          }) == 0.0);
    CHECK(bars.padding_untouched());
  }
}

TEMPLATE_TEST_CASE("zone plate follows its formula", "[kernels][patterns]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  const double top = static_cast<double>(full_scale<T>());
  for (const std::uint64_t frame : {0U, 5U}) {
    Image<T> plate(61, 40, 3);
    draw_zone_plate(plate.view(), frame, 0.125);
    CHECK(distance(plate, [&](auto x, auto y, auto) {
            const double dx = static_cast<double>(x) - 30.0;
            const double dy = static_cast<double>(y) - 19.5;
            const double angle =
                kPi * (dx * dx + dy * dy) / 61.0 - 2.0 * kPi * 0.125 * static_cast<double>(frame);
            return top * (0.5 + 0.5 * std::cos(angle));
          }) <= wave_error<T>());
    CHECK(plate.padding_untouched());
  }
}

TEST_CASE("zone plate repeats after a full cycle and moves before", "[kernels][patterns]") {
  Image<std::uint8_t> first(64, 64, 3);
  Image<std::uint8_t> later(64, 64, 3);
  draw_zone_plate(first.view(), 3);
  draw_zone_plate(later.view(), 3 + 32 * 1000);
  CHECK(max_abs_difference(first.view(), later.view()) == 0.0);
  draw_zone_plate(later.view(), 4);
  CHECK(max_abs_difference(first.view(), later.view()) > 20.0);
}

TEMPLATE_TEST_CASE("noise is uniform and reproducible", "[kernels][patterns]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  Image<T> noise(129, 127, 3);
  Image<T> again(129, 127, 3, 0);
  draw_noise(noise.view(), 42, 7);
  draw_noise(again.view(), 42, 7);
  CHECK(max_abs_difference(noise.view(), again.view()) == 0.0);
  CHECK(noise.padding_untouched());
  int bins[16] = {};
  const double top =
      static_cast<double>(full_scale<T>()) * (full_scale<T>() == 1.0F ? 1.0 : 1.0001);
  for (std::int64_t i = 0; i < 129 * 127 * 3; ++i) {
    ++bins[static_cast<int>(static_cast<double>(noise.at(i / 3 % 129, i / 387, i % 3)) / top * 16)];
  }
  double chi_square = 0.0;
  for (const int count : bins) {
    const double d = count - 129.0 * 127.0 * 3.0 / 16.0;
    chi_square += d * d / (129.0 * 127.0 * 3.0 / 16.0);
  }
  CHECK(chi_square < 37.7);  // 15 degrees of freedom, 0.1 %
  draw_noise(again.view(), 42, 8);
  CHECK(psnr(noise.view(), again.view()) < 9.0);
  draw_noise(again.view(), 43, 7);
  CHECK(psnr(noise.view(), again.view()) < 9.0);
}

TEST_CASE("noise depends on the place, not on the picture's size", "[kernels][patterns]") {
  Image<std::uint8_t> large(50, 20, 3);
  Image<std::uint8_t> small(11, 9, 3);
  draw_noise(large.view(), 1);
  draw_noise(small.view(), 1);
  CHECK(distance(small, [&](auto x, auto y, auto c) {
          return static_cast<double>(large.at(x, y, c));
        }) == 0.0);
}

TEST_CASE("patterns refuse broken arguments", "[kernels][patterns]") {
  Image<float> grey(4, 4, 1);
  Image<float> rgb(4, 4, 3);
  CHECK_THROWS_AS(draw_color_bars(grey.view()), std::invalid_argument);
  CHECK_THROWS_AS(draw_color_bars(rgb.view(), 1.5F), std::invalid_argument);
  CHECK_THROWS_AS(draw_zone_plate(grey.view(), 0), std::invalid_argument);
  CHECK_THROWS_AS(draw_zone_plate(rgb.view(), 0, std::numeric_limits<double>::infinity()),
                  std::invalid_argument);
  CHECK_THROWS_AS(draw_noise(grey.view(), 0), std::invalid_argument);
}

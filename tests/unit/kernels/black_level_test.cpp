#include "gxr/kernels/black_level.hpp"

#include <limits>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

TEMPLATE_TEST_CASE("each place of the colours loses its level", "[kernels][black]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  const double full = static_cast<double>(full_scale<T>());
  BlackLevels levels;
  for (int place = 0; place < 4; ++place) {
    levels.level[place] = static_cast<float>(full * (place + 1) / 16.0);
    levels.gain[place] = 1.0F + static_cast<float>(place) / 4.0F;
  }
  for (const std::int64_t width : {1, 2, 17, 40}) {
    Image<T> in = random_image<T>(width, 5, 1);
    Image<T> out(width, 5, 1);
    subtract_black<T>(in.view(), out.view(), levels);
    const auto exact = [&](std::int64_t x, std::int64_t y) {
      const auto place = static_cast<std::size_t>(y % 2 * 2 + x % 2);
      const double left =
          (static_cast<double>(in.at(x, y)) - levels.level[place]) * levels.gain[place];
      return left < 0.0 ? 0.0 : expected<T>(left);
    };
    CHECK(distance(out, [&](auto x, auto y, auto) { return exact(x, y); }) <= float_error<T>());
    CHECK(out.padding_untouched());
    subtract_black<T>(in.view(), in.view(), levels);
    CHECK(distance(in, [&](auto x, auto y, auto) { return static_cast<double>(out.at(x, y)); }) ==
          0.0);
  }
}

TEST_CASE("white becomes full scale, black and what is below it 0", "[kernels][black]") {
  Image<std::uint16_t> in(6, 1, 1);
  const std::uint16_t values[] = {0, 63, 64, 65, 1023, 2000};
  in.fill([&](auto x, auto, auto) { return values[x]; });
  BlackLevels levels;
  for (int place = 0; place < 4; ++place) {
    levels.level[place] = 64.0F;
    levels.gain[place] = black_level_gain<std::uint16_t>(64.0F, 1023.0F);
  }
  Image<std::uint16_t> out(6, 1, 1);
  subtract_black<std::uint16_t>(in.view(), out.view(), levels);
  // 65535 / 959 = 68.3
  const int wanted[] = {0, 0, 0, 68, 65535, 65535};
  CHECK(distance(out, [&](auto x, auto, auto) { return static_cast<double>(wanted[x]); }) == 0.0);
}

TEST_CASE("what is no number becomes 0", "[kernels][black]") {
  Image<float> in(2, 1, 1);
  in.at(0, 0) = std::numeric_limits<float>::quiet_NaN();
  in.at(1, 0) = 3.0F;
  subtract_black<float>(in.view(), in.view(), BlackLevels{});
  CHECK(in.at(0, 0) == 0.0F);
  CHECK(in.at(1, 0) == 3.0F);
}

TEMPLATE_TEST_CASE("levels are the means of masked pixels", "[kernels][black]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  Image<T> image = random_image<T>(31, 17, 1);
  const PixelArea areas[] = {
      {0, 0, 2, 2}, {0, 0, 31, 17}, {3, 2, 5, 3}, {30 - 1, 1, 2, 16}, {1, 15, 28, 2}};
  for (const PixelArea& area : areas) {
    double sums[4] = {};
    double counts[4] = {};
    for (std::int64_t y = area.top; y < area.top + area.height; ++y) {
      for (std::int64_t x = area.left; x < area.left + area.width; ++x) {
        sums[y % 2 * 2 + x % 2] += static_cast<double>(image.at(x, y));
        counts[y % 2 * 2 + x % 2] += 1.0;
      }
    }
    BlackLevels levels;
    const float white = full_scale<T>() * 0.9F;
    measure_black<T>(image.view(), area, white, &levels);
    BlackLevels plain;
    measure_black<T>(image.view(), area, 0.0F, &plain);
    for (int place = 0; place < 4; ++place) {
      INFO("area " << area.left << ", " << area.top << ", place " << place);
      const double mean = sums[place] / counts[place];
      CHECK(levels.level[place] == Catch::Approx(mean).epsilon(1e-6).margin(1e-7));
      CHECK(levels.gain[place] == black_level_gain<T>(levels.level[place], white));
      CHECK(plain.level[place] == levels.level[place]);
      CHECK(plain.gain[place] == 1.0F);
    }
  }
}

TEST_CASE("a white that is not above black makes no infinite gain", "[kernels][black]") {
  CHECK(black_level_gain<std::uint8_t>(100.0F, 100.0F) == 255.0F);
  CHECK(black_level_gain<std::uint16_t>(100.0F, 50.0F) == 65535.0F);
  CHECK(black_level_gain<float>(1.0F, 0.5F) == Catch::Approx(65535.0));
}

TEST_CASE("black levels refuse what does not fit", "[kernels][black]") {
  Image<float> raw(4, 4, 1);
  Image<float> rgb(4, 4, 3);
  Image<float> other(4, 3, 1);
  BlackLevels levels;
  CHECK_THROWS_AS(subtract_black<float>(raw.view(), other.view(), levels), std::invalid_argument);
  CHECK_THROWS_AS(subtract_black<float>(rgb.view(), rgb.view(), levels), std::invalid_argument);
  CHECK_THROWS_WITH(measure_black<float>(raw.view(), {0, 0, 1, 4}, 0.0F, &levels),
                    "the masked area must be at least 2 x 2 pixels");
  CHECK_THROWS_WITH(measure_black<float>(raw.view(), {3, 0, 2, 4}, 0.0F, &levels),
                    "the masked area must lie in the image");
  CHECK_THROWS_AS(measure_black<float>(raw.view(), {-1, 0, 2, 4}, 0.0F, &levels),
                  std::invalid_argument);
  CHECK_THROWS_AS(measure_black<float>(raw.view(), {0, 0, 2, 2}, 0.0F, nullptr),
                  std::invalid_argument);
}

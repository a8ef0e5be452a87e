#include "gxr/kernels/bayer.hpp"

#include <limits>

#include "catch.hpp"
#include "gxr/kernels/compare.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {
constexpr const char* kNames[] = {"RGGB", "BGGR", "GRBG", "GBRG"};
}  // namespace

TEST_CASE("bayer_channel spells out the patterns", "[kernels][bayer]") {
  const auto spell = [](BayerPattern p) {
    std::string cell;
    for (int i = 0; i < 4; ++i) {
      cell += "RGB"[bayer_channel(p, 6 + i % 2, 4 + i / 2)];
    }
    return cell;
  };
  CHECK(spell(BayerPattern::kRggb) == "RGGB");
  CHECK(spell(BayerPattern::kBggr) == "BGGR");
  CHECK(spell(BayerPattern::kGrbg) == "GRBG");
  CHECK(spell(BayerPattern::kGbrg) == "GBRG");
}

TEMPLATE_TEST_CASE("mosaic takes the channel that the sensor sees", "[kernels][bayer]",
                   std::uint8_t, std::uint16_t, float) {
  using T = TestType;
  for (int p = 0; p < 4; ++p) {
    for (const std::int64_t width : {1, 2, 7, 40}) {
      Image<T> rgb = random_image<T>(width, 5, 3);
      Image<T> bayer(width, 5, 1);
      mosaic_bayer(rgb.view(), bayer.view(), static_cast<BayerPattern>(p));
      CHECK(distance(bayer, [&](auto x, auto y, auto) {
              const char color = kNames[p][y % 2 * 2 + x % 2];
              return static_cast<double>(rgb.at(x, y, color == 'R' ? 0 : color == 'G' ? 1 : 2));
            }) == 0.0);
      CHECK(bayer.padding_untouched());
    }
  }
}

TEMPLATE_TEST_CASE("sensor noise has the asked mean and deviation", "[kernels][bayer]",
                   std::uint8_t, std::uint16_t, float) {
  using T = TestType;
  const double top = static_cast<double>(full_scale<T>());
  Image<T> rgb(256, 256, 3);
  rgb.fill([&](auto...) { return top / 2.0; });
  Image<T> bayer(256, 256, 1);
  mosaic_bayer(rgb.view(), bayer.view(), BayerPattern::kRggb, {0.05F, 1, 2});
  double sum = 0.0;
  double squares = 0.0;
  double fourth = 0.0;
  for (std::int64_t i = 0; i < 256 * 256; ++i) {
    const double d =
        (static_cast<double>(bayer.at(i % 256, i / 256)) - static_cast<double>(rgb.at(0, 0))) / top;
    sum += d;
    squares += d * d;
    fourth += d * d * d * d;
  }
  const double n = 256.0 * 256.0;
  CHECK(sum / n == Catch::Approx(0.0).margin(0.0008));
  CHECK(std::sqrt(squares / n) == Catch::Approx(0.05).epsilon(0.01));
  // Kurtosis of the sum of four uniform numbers is 2.7 (1.8 for one, 3 for Gauss).
  CHECK(fourth * n / (squares * squares) == Catch::Approx(2.7).margin(0.05));
}

TEMPLATE_TEST_CASE("sensor noise is reproducible and clipped", "[kernels][bayer]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  Image<T> rgb = random_image<T>(64, 32, 3);
  Image<T> a(64, 32, 1);
  Image<T> b(64, 32, 1, 0);
  const auto differs = [&](SensorNoise first, SensorNoise second) {
    mosaic_bayer(rgb.view(), a.view(), BayerPattern::kGbrg, first);
    mosaic_bayer(rgb.view(), b.view(), BayerPattern::kGbrg, second);
    return max_abs_difference(a.view(), b.view()) != 0.0;
  };
  CHECK_FALSE(differs({0.3F, 9, 4}, {0.3F, 9, 4}));
  CHECK(differs({0.3F, 9, 4}, {0.3F, 9, 5}));
  CHECK(differs({0.3F, 9, 4}, {0.3F, 8, 4}));
  CHECK(differs({0.3F, 9, 4}, {0.3F, 4, 9}));
  bool low = false;
  bool high = false;
  CHECK(distance(a, [&](auto x, auto y, auto) {
          const double value = static_cast<double>(a.at(x, y));
          low = low || value == 0.0;
          high = high || value == static_cast<double>(full_scale<T>());
          return value < 0.0 || value > static_cast<double>(full_scale<T>()) ? 1e9 : value;
        }) == 0.0);
  CHECK(low);
  CHECK(high);
}

TEST_CASE("rows and columns of noise do not repeat", "[kernels][bayer]") {
  Image<float> rgb(64, 64, 3);
  rgb.fill([](auto...) { return 0.5; });
  Image<float> noise(64, 64, 1);
  mosaic_bayer(rgb.view(), noise.view(), BayerPattern::kRggb, {0.1F, 0, 0});
  double row_product = 0.0;
  double column_product = 0.0;
  for (std::int64_t y = 0; y < 63; ++y) {
    for (std::int64_t x = 0; x < 63; ++x) {
      const double here = static_cast<double>(noise.at(x, y)) - 0.5;
      row_product += here * (static_cast<double>(noise.at(x + 1, y)) - 0.5);
      column_product += here * (static_cast<double>(noise.at(x, y + 1)) - 0.5);
    }
  }
  CHECK(std::abs(row_product / (63 * 63 * 0.01)) < 0.06);
  CHECK(std::abs(column_product / (63 * 63 * 0.01)) < 0.06);
}

TEST_CASE("mosaic refuses broken arguments", "[kernels][bayer]") {
  Image<float> rgb(4, 4, 3);
  Image<float> bayer(4, 4, 1);
  Image<float> tall(4, 5, 1);
  const auto run = [&](ImageView<float> out, float sigma) {
    mosaic_bayer(rgb.view(), out, BayerPattern::kRggb, {sigma, 0, 0});
  };
  CHECK_NOTHROW(run(bayer.view(), 0.0F));
  CHECK_THROWS_AS(run(tall.view(), 0.0F), std::invalid_argument);
  CHECK_THROWS_AS(run(rgb.view(), 0.0F), std::invalid_argument);
  CHECK_THROWS_AS(run(bayer.view(), -0.1F), std::invalid_argument);
  CHECK_THROWS_AS(run(bayer.view(), std::numeric_limits<float>::quiet_NaN()),
                  std::invalid_argument);
}

#include "gxr/kernels/remap.hpp"

#include <cmath>
#include <limits>
#include <vector>

#include "catch.hpp"
#include "gxr/kernels/lens.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

constexpr double kStep = 1.0 / (1 << kPlaceBits);

/// Places that lie this far from the pixels.
std::vector<PicturePlace> shifted(std::int64_t width, std::int64_t height, std::int32_t right,
                                  std::int32_t down) {
  std::vector<PicturePlace> places;
  for (std::int32_t y = 0; y < height; ++y) {
    for (std::int32_t x = 0; x < width; ++x) {
      places.push_back({x * (1 << kPlaceBits) + right, y * (1 << kPlaceBits) + down});
    }
  }
  return places;
}

/// By the definition, in double.
template <class T>
double sample(Image<T>& in, const PicturePlace& place, std::int64_t channel) {
  const double x = place.x * kStep;
  const double y = place.y * kStep;
  const auto at = [&](double column, double row) {
    const bool inside = column >= 0 && row >= 0 && column < static_cast<double>(in.width()) &&
                        row < static_cast<double>(in.height());
    return inside ? static_cast<double>(in.at(static_cast<std::int64_t>(column),
                                              static_cast<std::int64_t>(row), channel))
                  : 0.0;
  };
  const double left = std::floor(x);
  const double top = std::floor(y);
  const double upper = at(left, top) * (left + 1 - x) + at(left + 1, top) * (x - left);
  const double lower = at(left, top + 1) * (left + 1 - x) + at(left + 1, top + 1) * (x - left);
  return upper * (top + 1 - y) + lower * (y - top);
}

}  // namespace

TEMPLATE_TEST_CASE("values between pixels are linear, and black around the picture",
                   "[kernels][remap]", std::uint8_t, std::uint16_t, float) {
  const double scale = static_cast<double>(full_scale<TestType>());
  for (std::int64_t channels = 1; channels <= 4; ++channels) {
    Image<TestType> in(23, 17, channels);
    in.fill([&](auto x, auto y, auto c) {
      return static_cast<double>((91 * x + 47 * y + 13 * c) % 256) / 255 * scale;
    });
    for (const auto& [right, down] :
         {std::pair{0, 0}, {128, 0}, {77, 201}, {-100, -300}, {5000, 40}, {1 << 29, -(1 << 29)}}) {
      CAPTURE(channels, right, down);
      const std::vector<PicturePlace> places = shifted(30, 20, right, down);
      Image<TestType> out(30, 20, channels);
      remap_bilinear<TestType>(in.view(), out.view(), places.data());
      const double error = distance(out, [&](auto x, auto y, auto c) {
        return sample(in, places[static_cast<std::size_t>(y * 30 + x)], c);
      });
      CHECK(error <= (scale > 1 ? 0.5 : 1e-6));
      CHECK(out.padding_untouched());
    }
  }
}

TEST_CASE("full scale stays full scale between pixels", "[kernels][remap]") {
  Image<std::uint16_t> in(4, 4, 1);
  in.fill([](auto, auto, auto) { return 65535; });
  const std::vector<PicturePlace> places = shifted(3, 3, 99, 201);
  Image<std::uint16_t> out(3, 3, 1);
  remap_bilinear<std::uint16_t>(in.view(), out.view(), places.data());
  CHECK(distance(out, [](auto, auto, auto) { return 65535.0; }) == 0);
}

TEST_CASE("a lens without distortion moves nothing", "[kernels][lens]") {
  const LensModel lens{.focal_x = 800, .focal_y = 790, .center_x = 319.5, .center_y = 239.5};
  const std::vector<PicturePlace> places = undistorted_places(lens, 64, 48);
  REQUIRE(places.size() == 64U * 48U);
  for (std::int32_t i = 0; i < 64 * 48; ++i) {
    REQUIRE(places[static_cast<std::size_t>(i)].x == i % 64 * 256);
    REQUIRE(places[static_cast<std::size_t>(i)].y == i / 64 * 256);
  }
}

TEST_CASE("a barrel lens has its corners further in", "[kernels][lens]") {
  const LensModel lens{
      .focal_x = 100, .focal_y = 100, .center_x = 50, .center_y = 40, .k1 = -0.2, .p1 = 0.01};
  const std::vector<PicturePlace> places = undistorted_places(lens, 101, 81);
  // By hand: x = -0.5, y = -0.4, r2 = 0.41, radial = 0.918.
  const double x = -0.5 * 0.918 + 2 * 0.01 * 0.2;
  const double y = -0.4 * 0.918 + 0.01 * (0.41 + 2 * 0.16);
  CHECK(places.front().x == std::lround((100 * x + 50) * 256));
  CHECK(places.front().y == std::lround((100 * y + 40) * 256));
  CHECK(places[40 * 101 + 50].x == 50 * 256);
}

TEST_CASE("places of a strong lens stay within what numbers can say", "[kernels][lens]") {
  const LensModel lens{.focal_x = 1e-3, .focal_y = 1e-3, .k1 = 1e30, .k4 = -1e30};
  for (const PicturePlace& place : undistorted_places(lens, 9, 9)) {
    CHECK(std::abs(place.x) <= 1 << 30);
    CHECK(std::abs(place.y) <= 1 << 30);
  }
}

TEST_CASE("lenses and sizes that are none are refused", "[kernels][lens]") {
  CHECK_THROWS_AS(undistorted_places({.focal_x = 0}, 4, 4), std::invalid_argument);
  CHECK_THROWS_AS(undistorted_places({.k1 = std::nan("")}, 4, 4), std::invalid_argument);
  CHECK_THROWS_AS(undistorted_places({}, 0, 4), std::invalid_argument);
  CHECK_THROWS_AS(undistorted_places({}, 4, (1 << 22) + 1), std::invalid_argument);
  Image<float> in(2, 2, 1);
  Image<float> out(2, 2, 1);
  CHECK_THROWS_AS(remap_bilinear<float>(in.view(), out.view(), nullptr), std::invalid_argument);
}

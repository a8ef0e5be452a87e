#include "gxr/kernels/scale.hpp"

#include <limits>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

TEMPLATE_TEST_CASE("channels times factors", "[kernels][scale]", std::uint8_t, std::uint16_t,
                   float) {
  using T = TestType;
  const float factors[] = {0.5F, 1.25F, 0.0F, -1.0F};
  for (std::int64_t channels = 1; channels <= 4; ++channels) {
    Image<T> in = random_image<T>(37, 3, channels);
    Image<T> out(37, 3, channels);
    scale_channels<T>(in.view(), out.view(), factors);
    CHECK(distance(out, [&](auto x, auto y, auto c) {
            return expected<T>(static_cast<double>(in.at(x, y, c)) * factors[c]);
          }) <= float_error<T>());
    CHECK(out.padding_untouched());
  }
}

TEMPLATE_TEST_CASE("pictures of one colour", "[kernels][scale]", std::uint8_t, std::uint16_t,
                   float) {
  using T = TestType;
  const float color[] = {3.0F, 0.25F, -1.0F, 1e9F};
  for (std::int64_t channels = 1; channels <= 4; ++channels) {
    Image<T> out(21, 4, channels);
    fill_channels<T>(out.view(), color);
    CHECK(distance(out, [&](auto, auto, auto c) { return expected<T>(color[c]); }) == 0.0);
    CHECK(out.padding_untouched());
  }
}

TEST_CASE("channels refuse numbers that are none", "[kernels][scale]") {
  Image<float> image(2, 2, 2);
  const float bad[] = {1.0F, std::numeric_limits<float>::infinity()};
  CHECK_THROWS_AS(fill_channels<float>(image.view(), bad), std::invalid_argument);
  CHECK_THROWS_AS(scale_channels<float>(image.view(), image.view(), bad), std::invalid_argument);
  CHECK_THROWS_AS(scale_channels<float>(image.view(), image.view(), nullptr),
                  std::invalid_argument);
}

#include "gxr/kernels/brightness.hpp"

#include <limits>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

template <class T>
int class_of(Image<T>& image, const BrightnessThresholds& thresholds) {
  std::int32_t number = -1;
  brightness_class(image.view(), thresholds, &number);
  return number;
}

template <class T>
Image<T> constant(std::int64_t channels, double unit) {
  Image<T> image(5, 3, channels);
  image.fill([&](auto...) { return unit * static_cast<double>(full_scale<T>()); });
  return image;
}

}  // namespace

TEMPLATE_TEST_CASE("the brightness class counts the thresholds reached", "[kernels][brightness]",
                   std::uint8_t, std::uint16_t, float) {
  const BrightnessThresholds thresholds{{0.2, 0.4, 0.6}, 3};
  for (const std::int64_t channels : {1, 2, 3, 4}) {
    for (const auto& [unit, wanted] :
         {std::pair(0.0, 0), {0.196, 0}, {0.2, 1}, {0.39, 1}, {0.4, 2}, {0.6, 3}, {1.0, 3}}) {
      Image<TestType> image = constant<TestType>(channels, unit);
      INFO(unit << ", channels " << channels);
      CHECK(class_of(image, thresholds) == wanted);
    }
  }
}

TEST_CASE("brightness is the luminance of BT.709, without alpha", "[kernels][brightness]") {
  Image<std::uint8_t> image(1, 1, 4);
  const auto luminance_is = [&](int channel, double wanted) {
    image.fill([&](auto, auto, auto c) { return c == channel ? 255 : 0; });
    CHECK(class_of(image, {{wanted - 1e-9}, 1}) == 1);
    CHECK(class_of(image, {{wanted + 1e-5}, 1}) == 0);
  };
  luminance_is(0, 0.2126);
  luminance_is(1, 0.7152);
  luminance_is(2, 0.0722);
  image.fill([](auto, auto, auto c) { return c == 3 ? 255 : 0; });
  CHECK(class_of(image, {{0.0, 1e-5}, 2}) == 1);
}

TEST_CASE("brightness is the mean of all pixels", "[kernels][brightness]") {
  Image<std::uint16_t> image(100, 10, 1);
  image.fill([](auto x, auto, auto) { return x < 25 ? 65535 : 0; });
  CHECK(class_of(image, {{0.2499, 0.25, 0.2501}, 3}) == 2);
}

TEST_CASE("brightness of floats is that of what 16 bits hold", "[kernels][brightness]") {
  Image<float> image(4, 1, 1);
  const float values[] = {std::numeric_limits<float>::quiet_NaN(), -5.0F,
                          std::numeric_limits<float>::infinity(), 3.0F};
  image.fill([&](auto x, auto, auto) { return values[x]; });
  CHECK(class_of(image, {{0.4999, 0.5, 0.5001}, 3}) == 2);
}

TEST_CASE("brightness classes refuse broken arguments", "[kernels][brightness]") {
  Image<std::uint8_t> image(2, 2, 3);
  CHECK(class_of(image, {}) == 0);
  CHECK_THROWS_AS(brightness_class(image.view(), {{0.5}, 1}, nullptr), std::invalid_argument);
  CHECK_THROWS_AS(class_of(image, {{}, 17}), std::invalid_argument);
  CHECK_THROWS_AS(class_of(image, {{0.5, 0.5}, 2}), std::invalid_argument);
  CHECK_THROWS_AS(class_of(image, {{-0.1}, 1}), std::invalid_argument);
  CHECK_THROWS_AS(class_of(image, {{std::numeric_limits<double>::quiet_NaN()}, 1}),
                  std::invalid_argument);
}

#include "gxr/kernels/convert.hpp"

#include <algorithm>
#include <limits>
#include <string>
#include <vector>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

constexpr float kNan = std::numeric_limits<float>::quiet_NaN();

/// Every value of T once, in rows of 256.
template <class T>
Image<T> all_values() {
  const auto count = static_cast<std::int64_t>(full_scale<T>()) + 1;
  Image<T> image(256, count / 256, 1);
  image.fill([](auto x, auto y, auto) { return y * 256 + x; });
  return image;
}

template <class In, class Out>
Image<Out> converted(Image<In>& in, ScaleRange range = {}) {
  Image<Out> out(in.width(), in.height(), in.channels());
  convert_elements(in.view(), out.view(), range);
  CHECK(out.padding_untouched());
  return out;
}

template <class T>
std::vector<T> from_floats(std::vector<float> values, ScaleRange range) {
  const auto width = static_cast<std::int64_t>(values.size());
  std::vector<T> out(values.size());
  convert_elements(packed_view(values.data(), width, 1, 1), packed_view(out.data(), width, 1, 1),
                   range);
  return out;
}

}  // namespace

TEMPLATE_TEST_CASE("integers become floats of the range", "[kernels][convert]", std::uint8_t,
                   std::uint16_t) {
  Image<TestType> in = all_values<TestType>();
  const double top = static_cast<double>(full_scale<TestType>());
  Image<float> unit = converted<TestType, float>(in);
  CHECK(distance(unit, [&](auto x, auto y, auto c) {
          return static_cast<double>(in.at(x, y, c)) / top;
        }) <= 1e-7);
  Image<float> wide = converted<TestType, float>(in, {-2.0F, 6.0F});
  CHECK(distance(wide, [&](auto x, auto y, auto c) {
          return -2.0 + static_cast<double>(in.at(x, y, c)) / top * 8.0;
        }) <= 1e-6);
}

TEMPLATE_TEST_CASE("integers survive the way through float", "[kernels][convert]", std::uint8_t,
                   std::uint16_t) {
  Image<TestType> in = all_values<TestType>();
  for (const ScaleRange range :
       {ScaleRange{0.0F, 1.0F}, ScaleRange{-1.0F, 1.0F}, ScaleRange{0.0F, 255.0F}}) {
    Image<float> between = converted<TestType, float>(in, range);
    Image<TestType> back = converted<float, TestType>(between, range);
    CHECK(distance(back, [&](auto x, auto y, auto c) {
            return static_cast<double>(in.at(x, y, c));
          }) == 0.0);
  }
}

TEST_CASE("floats are clamped and rounded half up", "[kernels][convert]") {
  const float inf = std::numeric_limits<float>::infinity();
  CHECK(from_floats<std::uint8_t>(
            {-inf, -1.0F, 0.0F, 0.49F, 0.5F, 1.5F, 254.4F, 254.5F, 255.0F, 1e9F, inf, kNan},
            {0.0F, 255.0F}) ==
        std::vector<std::uint8_t>{0, 0, 0, 0, 1, 2, 254, 255, 255, 255, 255, 0});
  CHECK(from_floats<std::uint16_t>({-5.0F, -4.0F, 0.0F, 4.0F, 5.0F, kNan}, {-4.0F, 4.0F}) ==
        std::vector<std::uint16_t>{0, 0, 32768, 65535, 65535, 0});
}

TEST_CASE("integer widths convert over the whole scale", "[kernels][convert]") {
  Image<std::uint8_t> narrow = all_values<std::uint8_t>();
  Image<std::uint16_t> wide = converted<std::uint8_t, std::uint16_t>(narrow);
  CHECK(distance(wide, [](auto x, auto, auto) { return static_cast<double>(x * 257); }) == 0.0);
  Image<std::uint16_t> all = all_values<std::uint16_t>();
  Image<std::uint8_t> rounded = converted<std::uint16_t, std::uint8_t>(all);
  CHECK(distance(rounded, [](auto x, auto y, auto) {
          return std::round(static_cast<double>(y * 256 + x) * 255.0 / 65535.0);
        }) == 0.0);
}

TEMPLATE_TEST_CASE("the same type is copied whatever the range", "[kernels][convert]", std::uint8_t,
                   std::uint16_t, float) {
  Image<TestType> in = random_image<TestType>(21, 3, 3);
  Image<TestType> out = converted<TestType, TestType>(in, {-7.0F, 9.0F});
  CHECK(distance(out, [&](auto x, auto y, auto c) {
          return static_cast<double>(in.at(x, y, c));
        }) == 0.0);
}

TEMPLATE_TEST_CASE("channels are permuted, dropped and repeated", "[kernels][channels]",
                   std::uint8_t, std::uint16_t, float) {
  using T = TestType;
  const std::vector<std::vector<int>> orders = {
      {0}, {1, 0}, {2, 1, 0}, {1, 2, 0}, {0, 0, 0}, {2, 1, 0, 3}, {3, 2, 1, 0}, {2, 1, 0, 1}};
  for (const std::vector<int>& order : orders) {
    for (std::int64_t channels = 1; channels <= 4; ++channels) {
      Image<T> in = random_image<T>(37, 3, channels);
      Image<T> out(37, 3, static_cast<std::int64_t>(order.size()));
      if (*std::max_element(order.begin(), order.end()) >= channels) {
        CHECK_THROWS_AS(permute_channels(in.view(), out.view(), order.data()),
                        std::invalid_argument);
        continue;
      }
      permute_channels(in.view(), out.view(), order.data());
      CHECK(distance(out, [&](auto x, auto y, auto c) {
              return static_cast<double>(in.at(x, y, order[static_cast<std::size_t>(c)]));
            }) == 0.0);
      CHECK(out.padding_untouched());
    }
  }
}

TEMPLATE_TEST_CASE("alpha is added and dropped", "[kernels][channels]", std::uint8_t, std::uint16_t,
                   float) {
  using T = TestType;
  for (const std::int64_t width : {1, 15, 16, 67}) {
    Image<T> rgb = random_image<T>(width, 3, 3);
    Image<T> rgba(width, 3, 4);
    Image<T> back(width, 3, 3);
    add_alpha(rgb.view(), rgba.view(), T{1});
    CHECK(distance(rgba, [&](auto x, auto y, auto c) {
            return c == 3 ? 1.0 : static_cast<double>(rgb.at(x, y, c));
          }) == 0.0);
    CHECK(rgba.padding_untouched());
    drop_alpha(rgba.view(), back.view());
    CHECK(distance(back, [&](auto x, auto y, auto c) {
            return static_cast<double>(rgb.at(x, y, c));
          }) == 0.0);
    CHECK(back.padding_untouched());
  }
}

TEST_CASE("conversions refuse broken arguments", "[kernels][convert]") {
  Image<float> rgb(2, 2, 3);
  Image<float> rgba(2, 2, 4);
  Image<float> wide(3, 2, 4);
  Image<std::uint8_t> bytes(2, 2, 3);
  CHECK_THROWS_AS(convert_elements(rgba.view(), bytes.view()), std::invalid_argument);
  CHECK_THROWS_AS(convert_elements(rgb.view(), bytes.view(), {1.0F, 1.0F}), std::invalid_argument);
  CHECK_THROWS_AS(convert_elements(rgb.view(), bytes.view(), {1.0F, 0.0F}), std::invalid_argument);
  CHECK_THROWS_AS(convert_elements(rgb.view(), bytes.view(), {kNan, 0.0F}), std::invalid_argument);
  const int negative[] = {0, -1, 2};
  CHECK_THROWS_WITH(permute_channels(rgb.view(), rgb.view(), negative),
                    "channel order: entry 1 is -1, the input has channels 0 to 2");
  CHECK_THROWS_AS(permute_channels(rgb.view(), rgb.view(), nullptr), std::invalid_argument);
  CHECK_THROWS_AS(add_alpha(rgb.view(), wide.view(), 1.0F), std::invalid_argument);
  CHECK_THROWS_AS(add_alpha(rgba.view(), rgb.view(), 1.0F), std::invalid_argument);
  CHECK_THROWS_AS(drop_alpha(rgb.view(), rgba.view()), std::invalid_argument);
}

#include "gxr/kernels/resize.hpp"

#include <algorithm>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

/// Half a step of rounding, and what float sums may add.
template <class T>
double sum_error() {
  return full_scale<T>() == 1.0F ? 2e-6 : full_scale<T>() == 255.0F ? 0.5001 : 0.52;
}

struct Shape {
  std::int64_t in_width, in_height, out_width, out_height;
};

constexpr Shape kShapes[] = {{1, 1, 1, 1},   {1, 1, 5, 3},  {5, 3, 1, 1},   {7, 5, 7, 5},
                             {8, 6, 4, 3},   {9, 7, 4, 3},  {9, 7, 20, 15}, {40, 2, 13, 5},
                             {3, 50, 7, 11}, {33, 9, 32, 8}};

/// Weight that input pixel j has in output pixel i.
double bilinear_weight(std::int64_t i, std::int64_t j, std::int64_t in, std::int64_t out) {
  const double position =
      (static_cast<double>(i) + 0.5) * static_cast<double>(in) / static_cast<double>(out) - 0.5;
  const double inside = std::min(std::max(position, 0.0), static_cast<double>(in - 1));
  return std::max(0.0, 1.0 - std::abs(inside - static_cast<double>(j)));
}

/// Both boxes laid out on a line of in * out units, where all borders are whole numbers.
double area_weight(std::int64_t i, std::int64_t j, std::int64_t in, std::int64_t out) {
  if (out >= in) {
    return bilinear_weight(i, j, in, out);
  }
  const std::int64_t overlap = std::min((i + 1) * in, (j + 1) * out) - std::max(i * in, j * out);
  return static_cast<double>(std::max<std::int64_t>(overlap, 0)) / static_cast<double>(in);
}

template <class T, class Weight>
double resized(Image<T>& in, const Shape& s, std::int64_t x, std::int64_t y, std::int64_t c,
               Weight weight) {
  double sum = 0.0;
  for (std::int64_t v = 0; v < s.in_height; ++v) {
    for (std::int64_t u = 0; u < s.in_width; ++u) {
      sum += weight(x, u, s.in_width, s.out_width) * weight(y, v, s.in_height, s.out_height) *
             static_cast<double>(in.at(u, v, c));
    }
  }
  return sum;
}

template <class T, class Resize, class Weight>
void check_shapes(Resize resize, Weight weight) {
  for (const Shape& s : kShapes) {
    for (std::int64_t channels = 1; channels <= 4; ++channels) {
      INFO(s.in_width << " x " << s.in_height << " to " << s.out_width << " x " << s.out_height);
      Image<T> in = random_image<T>(s.in_width, s.in_height, channels, 2);
      Image<T> out(s.out_width, s.out_height, channels, 5);
      resize(in.view(), out.view());
      CHECK(distance(out, [&](auto x, auto y, auto c) {
              return resized(in, s, x, y, c, weight);
            }) <= sum_error<T>());
      CHECK(out.padding_untouched());
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("bilinear resize interpolates between centres", "[kernels][resize]",
                   std::uint8_t, std::uint16_t, float) {
  using T = TestType;
  check_shapes<T>([](auto in, auto out) { resize_bilinear(in, out); }, bilinear_weight);
}

TEMPLATE_TEST_CASE("area resize takes the mean of the covered box", "[kernels][resize]",
                   std::uint8_t, std::uint16_t, float) {
  using T = TestType;
  check_shapes<T>([](auto in, auto out) { resize_area(in, out); }, area_weight);
}

TEMPLATE_TEST_CASE("area resize of every length keeps a constant picture", "[kernels][resize]",
                   std::uint8_t, std::uint16_t) {
  using T = TestType;
  constexpr auto top = static_cast<T>(full_scale<T>());
  for (std::int64_t length = 1; length <= 61; ++length) {
    Image<T> in(61, 2, 1);
    in.fill([=](auto...) { return top; });
    Image<T> out(length, 1, 1);
    resize_area(in.view(), out.view());
    CHECK(distance(out, [](auto...) { return static_cast<double>(top); }) == 0.0);
  }
}

TEMPLATE_TEST_CASE("nearest resize copies the pixel under the centre", "[kernels][resize]",
                   std::uint8_t, std::uint16_t, float) {
  using T = TestType;
  for (const Shape& s : kShapes) {
    for (std::int64_t channels = 1; channels <= 4; ++channels) {
      Image<T> in = random_image<T>(s.in_width, s.in_height, channels);
      Image<T> out(s.out_width, s.out_height, channels);
      resize_nearest(in.view(), out.view());
      CHECK(distance(out, [&](auto x, auto y, auto c) {
              const auto source = [](auto i, auto from, auto to) {
                return static_cast<std::int64_t>((static_cast<double>(i) + 0.5) *
                                                 static_cast<double>(from) /
                                                 static_cast<double>(to));
              };
              return static_cast<double>(in.at(source(x, s.in_width, s.out_width),
                                               source(y, s.in_height, s.out_height), c));
            }) == 0.0);
      CHECK(out.padding_untouched());
    }
  }
}

TEMPLATE_TEST_CASE("resize to the same size copies", "[kernels][resize]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  Image<T> in = random_image<T>(45, 7, 3);
  Image<T> out(45, 7, 3);
  const auto original = [&](auto x, auto y, auto c) { return static_cast<double>(in.at(x, y, c)); };
  resize_bilinear(in.view(), out.view());
  CHECK(distance(out, original) == 0.0);
  resize_area(in.view(), out.view());
  CHECK(distance(out, original) == 0.0);
}

TEST_CASE("resize refuses broken arguments", "[kernels][resize]") {
  Image<float> rgb(4, 4, 3);
  Image<float> grey(2, 2, 1);
  CHECK_THROWS_AS(resize_bilinear(rgb.view(), grey.view()), std::invalid_argument);
  CHECK_THROWS_AS(resize_area(rgb.view(), grey.view()), std::invalid_argument);
  CHECK_THROWS_AS(resize_nearest(rgb.view(), grey.view()), std::invalid_argument);
  ImageView<float> empty = rgb.view();
  empty.width = 0;
  CHECK_THROWS_AS(resize_bilinear(rgb.view(), empty), std::invalid_argument);
  float pixel = 0.0F;
  const ImageView<float> endless{&pixel, (std::int64_t{1} << 24) + 1, 1, 1, 1 << 27};
  CHECK_THROWS_AS(resize_bilinear(endless, rgb.view()), std::invalid_argument);
}

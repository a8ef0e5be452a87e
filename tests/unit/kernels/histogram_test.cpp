#include "gxr/kernels/histogram.hpp"

#include <limits>
#include <vector>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

using Counts = std::vector<std::uint32_t>;

Counts empty_counts(std::int64_t channels) {
  return Counts(static_cast<std::size_t>(channels * kHistogramBins));
}

}  // namespace

TEMPLATE_TEST_CASE("histogram counts every value once per channel", "[kernels][histogram]",
                   std::uint8_t, std::uint16_t, float) {
  using T = TestType;
  const double levels = full_scale<T>() == 1.0F ? 1.0 : static_cast<double>(full_scale<T>()) + 1.0;
  for (std::int64_t channels = 1; channels <= 4; ++channels) {
    Image<T> image = random_image<T>(51, 23, channels);
    Counts counts(static_cast<std::size_t>(channels * kHistogramBins), 77U);
    compute_histogram(image.view(), counts.data());
    Counts naive = empty_counts(channels);
    distance(image, [&](auto x, auto y, auto c) {
      const double bin = std::floor(static_cast<double>(image.at(x, y, c)) / levels * 256.0);
      ++naive[static_cast<std::size_t>(c * 256) + static_cast<std::size_t>(std::min(bin, 255.0))];
      return 0.0;
    });
    CHECK(counts == naive);
  }
}

TEST_CASE("floats outside the range go to the outer bins", "[kernels][histogram]") {
  const float inf = std::numeric_limits<float>::infinity();
  const std::vector<float> values = {
      -inf, -1.0F, std::numeric_limits<float>::quiet_NaN(), 0.0F, 1.0F, 2.0F, inf};
  Counts counts = empty_counts(1);
  compute_histogram(packed_view(values.data(), 7, 1, 1), counts.data());
  CHECK(counts[0] == 4);
  CHECK(counts[255] == 3);
}

TEMPLATE_TEST_CASE("histogram bars rise to their share of the height", "[kernels][histogram]",
                   std::uint8_t, std::uint16_t, float) {
  using T = TestType;
  Counts counts = empty_counts(4);
  counts[10] = 100;        // red: the largest
  counts[256 + 10] = 50;   // green: half
  counts[512 + 200] = 4;   // blue: 4 % of 20 rows, rounded to 1
  counts[768 + 3] = 1000;  // alpha: not drawn, not the largest
  Image<T> picture(256, 20, 3);
  draw_histogram(counts.data(), 4, picture.view());
  const double lit = static_cast<double>(full_scale<T>());
  CHECK(distance(picture, [&](auto x, auto y, auto c) {
          const bool red = c == 0 && x == 10;
          const bool green = c == 1 && x == 10 && y >= 10;
          const bool blue = c == 2 && x == 200 && y >= 19;
          return red || green || blue ? lit : 0.0;
        }) == 0.0);
  CHECK(picture.padding_untouched());
}

TEST_CASE("one channel is drawn white, two leave blue dark", "[kernels][histogram]") {
  Counts counts = empty_counts(2);
  counts[0] = 1;
  counts[256] = 1;
  Image<std::uint8_t> picture(256, 2, 3);
  draw_histogram(counts.data(), 1, picture.view());
  CHECK(distance(picture, [](auto x, auto, auto) { return x == 0 ? 255.0 : 0.0; }) == 0.0);
  draw_histogram(counts.data(), 2, picture.view());
  CHECK(distance(picture, [](auto x, auto, auto c) { return x == 0 && c < 2 ? 255.0 : 0.0; }) ==
        0.0);
}

TEST_CASE("narrow pictures keep peaks, wide ones repeat bins", "[kernels][histogram]") {
  Counts counts = empty_counts(1);
  counts[131] = 9;
  const auto lit_columns = [&](std::int64_t width) {
    Image<std::uint8_t> picture(width, 1, 3);
    draw_histogram(counts.data(), 1, picture.view());
    std::vector<std::int64_t> columns;
    for (std::int64_t x = 0; x < width; ++x) {
      if (picture.at(x, 0) == 255) {
        columns.push_back(x);
      }
    }
    return columns;
  };
  using Columns = std::vector<std::int64_t>;
  CHECK(lit_columns(1) == Columns{0});
  CHECK(lit_columns(64) == Columns{32});
  CHECK(lit_columns(100) == Columns{51});
  CHECK(lit_columns(256) == Columns{131});
  CHECK(lit_columns(512) == Columns{262, 263});
}

TEST_CASE("an empty histogram is black", "[kernels][histogram]") {
  const Counts counts = empty_counts(3);
  Image<std::uint8_t> picture(9, 9, 3);
  draw_histogram(counts.data(), 3, picture.view());
  CHECK(distance(picture, [](auto...) { return 0.0; }) == 0.0);
}

TEST_CASE("histogram refuses broken arguments", "[kernels][histogram]") {
  Image<float> grey(2, 2, 1);
  Image<float> rgb(2, 2, 3);
  Counts counts = empty_counts(4);
  CHECK_THROWS_AS(compute_histogram(grey.view(), nullptr), std::invalid_argument);
  CHECK_THROWS_AS(draw_histogram(counts.data(), 1, grey.view()), std::invalid_argument);
  CHECK_THROWS_AS(draw_histogram(counts.data(), 5, rgb.view()), std::invalid_argument);
  CHECK_THROWS_AS(draw_histogram(counts.data(), 0, rgb.view()), std::invalid_argument);
  CHECK_THROWS_AS(draw_histogram(nullptr, 1, rgb.view()), std::invalid_argument);
  const ImageView<float> vast{rgb.view().data, 65536, 65536, 1, 1 << 18};
  CHECK_THROWS_AS(compute_histogram(vast, counts.data()), std::invalid_argument);
}

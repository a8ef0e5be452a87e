#include "gxr/kernels/yuv.hpp"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <random>
#include <stdexcept>
#include <vector>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

using Byte = std::uint8_t;

constexpr YuvCoding kCodings[] = {
    {LumaStandard::kBt601, YuvRange::kLimited},  {LumaStandard::kBt601, YuvRange::kFull},
    {LumaStandard::kBt709, YuvRange::kLimited},  {LumaStandard::kBt709, YuvRange::kFull},
    {LumaStandard::kBt2020, YuvRange::kLimited}, {LumaStandard::kBt2020, YuvRange::kFull}};

/// A YUV picture of its own, with gaps behind its rows.
class Yuv {
 public:
  Yuv(std::int64_t width, std::int64_t height, YuvLayout layout)
      : width_(width), height_(height), layout_(layout) {
    const std::int64_t rows = height + 2 * ((height + 1) / 2);
    memory_.assign(static_cast<std::size_t>(stride() * rows), 0xa5);
  }

  YuvView<Byte> view() {
    Byte* const y = memory_.data();
    if (layout_ == YuvLayout::kPacked) {
      return {y, y + 1, y + 3, width_, height_, stride(), stride(), layout_, false};
    }
    Byte* const u = y + stride() * height_;
    Byte* const v = layout_ == YuvLayout::kPairs ? u + 1 : u + stride() * ((height_ + 1) / 2);
    return {y, u, v, width_, height_, stride(), stride(), layout_, true};
  }
  Byte& y(std::int64_t x, std::int64_t row) {
    return *(view().y + row * stride() + (layout_ == YuvLayout::kPacked ? 2 * x : x));
  }
  Byte& u(std::int64_t x, std::int64_t row) { return chroma(view().u, x, row); }
  Byte& v(std::int64_t x, std::int64_t row) { return chroma(view().v, x, row); }
  void fill(unsigned seed) {
    std::mt19937 random(seed);
    for (Byte& byte : memory_) {
      byte = static_cast<Byte>(random());
    }
  }

 private:
  [[nodiscard]] std::ptrdiff_t stride() const { return 2 * width_ + 7; }
  Byte& chroma(Byte* plane, std::int64_t x, std::int64_t row) {
    const std::int64_t step = layout_ == YuvLayout::kPlanes  ? 1
                              : layout_ == YuvLayout::kPairs ? 2
                                                             : 4;
    return plane[(layout_ == YuvLayout::kPacked ? row : row / 2) * stride() + x / 2 * step];
  }

  std::int64_t width_;
  std::int64_t height_;
  YuvLayout layout_;
  std::vector<Byte> memory_;
};

struct YuvStandard {
  double red, green, blue;
  double luma, chroma, black;
  explicit YuvStandard(YuvCoding coding) {
    red = coding.standard == LumaStandard::kBt601   ? 0.299
          : coding.standard == LumaStandard::kBt709 ? 0.2126
                                                    : 0.2627;
    blue = coding.standard == LumaStandard::kBt601   ? 0.114
           : coding.standard == LumaStandard::kBt709 ? 0.0722
                                                     : 0.0593;
    green = 1 - red - blue;
    luma = coding.range == YuvRange::kFull ? 255 : 219;
    chroma = coding.range == YuvRange::kFull ? 255 : 224;
    black = coding.range == YuvRange::kFull ? 0 : 16;
  }
};

/// By the definitions of the standards, in real numbers: red, green, blue.
std::vector<double> colors_of(double y, double u, double v, YuvCoding coding) {
  const YuvStandard w(coding);
  const double luma = (y - w.black) / w.luma;
  const double pb = (u - 128) / w.chroma;
  const double pr = (v - 128) / w.chroma;
  const double red = luma + 2 * (1 - w.red) * pr;
  const double blue = luma + 2 * (1 - w.blue) * pb;
  const double green = (luma - w.red * red - w.blue * blue) / w.green;
  std::vector<double> colors{red, green, blue};
  for (double& color : colors) {
    color = std::clamp(color * 255, 0.0, 255.0);
  }
  return colors;
}

std::vector<double> yuv_of(double red, double green, double blue, YuvCoding coding) {
  const YuvStandard w(coding);
  const double luma = (w.red * red + w.green * green + w.blue * blue) / 255;
  const double pb = (blue / 255 - luma) / (2 * (1 - w.blue));
  const double pr = (red / 255 - luma) / (2 * (1 - w.red));
  return {w.black + luma * w.luma, std::clamp(128 + pb * w.chroma, 0.0, 255.0),
          std::clamp(128 + pr * w.chroma, 0.0, 255.0)};
}

/// Rounding, and what factors of 16 bits leave out.
constexpr double kExact = 0.51;

}  // namespace

TEST_CASE("colours of all layouts are those of the standards", "[kernels][yuv]") {
  for (const YuvCoding coding : kCodings) {
    for (const YuvLayout layout : {YuvLayout::kPlanes, YuvLayout::kPairs, YuvLayout::kPacked}) {
      const std::int64_t width = layout == YuvLayout::kPacked ? 70 : 71;
      Yuv in(width, 9, layout);
      in.fill(1);
      Image<Byte> rgb(width, 9, 3);
      Image<Byte> bgr(width, 9, 3);
      Image<Byte> rgba(width, 9, 4);
      Image<Byte> grey(width, 9, 1);
      yuv_to_color(in.view(), rgb.view(), coding, ColorOrder::kRgb);
      yuv_to_color(in.view(), bgr.view(), coding, ColorOrder::kBgr);
      yuv_to_color(in.view(), rgba.view(), coding, ColorOrder::kRgb);
      yuv_to_color(in.view(), grey.view(), coding, ColorOrder::kRgb);
      double worst = 0;
      double worst_grey = 0;
      bool same = true;
      for (std::int64_t y = 0; y < 9; ++y) {
        for (std::int64_t x = 0; x < width; ++x) {
          const auto wanted = colors_of(in.y(x, y), in.u(x, y), in.v(x, y), coding);
          for (std::int64_t c = 0; c < 3; ++c) {
            worst =
                std::max(worst, std::abs(rgb.at(x, y, c) - wanted[static_cast<std::size_t>(c)]));
            same = same && bgr.at(x, y, 2 - c) == rgb.at(x, y, c) &&
                   rgba.at(x, y, c) == rgb.at(x, y, c);
          }
          same = same && rgba.at(x, y, 3) == 255;
          worst_grey = std::max(
              worst_grey, std::abs(grey.at(x, y) - colors_of(in.y(x, y), 128, 128, coding)[0]));
        }
      }
      CHECK(worst < kExact);
      CHECK(worst_grey < kExact);
      CHECK(same);
      CHECK(rgb.padding_untouched());
    }
  }
}

TEST_CASE("brightness and differences of colours are those of the standards", "[kernels][yuv]") {
  for (const YuvCoding coding : kCodings) {
    for (const YuvLayout layout : {YuvLayout::kPlanes, YuvLayout::kPairs, YuvLayout::kPacked}) {
      const bool packed = layout == YuvLayout::kPacked;
      const std::int64_t width = packed ? 70 : 71;
      const std::int64_t height = 9;
      Image<Byte> rgb(width, height, 3);
      std::mt19937 random(2);
      rgb.fill([&](auto, auto, auto) { return random() % 256; });
      Yuv out(width, height, layout);
      color_to_yuv(rgb.view(), out.view(), coding, ColorOrder::kRgb);
      double worst = 0;
      double worst_difference = 0;
      for (std::int64_t y = 0; y < height; ++y) {
        for (std::int64_t x = 0; x < width; ++x) {
          worst = std::max(worst, std::abs(out.y(x, y) - yuv_of(rgb.at(x, y, 0), rgb.at(x, y, 1),
                                                                rgb.at(x, y, 2), coding)[0]));
          // The mean of the square that the pixel is in, where the last ones count twice.
          double sums[3] = {};
          for (std::int64_t k = 0; k < 4; ++k) {
            const std::int64_t column = std::min(x / 2 * 2 + k % 2, width - 1);
            const std::int64_t row = packed ? y : std::min(y / 2 * 2 + k / 2, height - 1);
            for (std::int64_t c = 0; c < 3; ++c) {
              sums[c] += rgb.at(column, row, c) / 4.0;
            }
          }
          const auto wanted = yuv_of(sums[0], sums[1], sums[2], coding);
          worst_difference = std::max({worst_difference, std::abs(out.u(x, y) - wanted[1]),
                                       std::abs(out.v(x, y) - wanted[2])});
        }
      }
      CHECK(worst < kExact);
      CHECK(worst_difference < kExact);
    }
  }
}

TEST_CASE("grey stays grey, and black and white stay what they are", "[kernels][yuv]") {
  for (const YuvCoding coding : kCodings) {
    Image<Byte> grey(256, 2, 1);
    grey.fill([](auto x, auto, auto) { return x; });
    Image<Byte> rgba(256, 2, 4);
    rgba.fill([](auto x, auto, auto c) { return c == 3 ? 7 : x; });
    Yuv of_grey(256, 2, YuvLayout::kPairs);
    Yuv of_colors(256, 2, YuvLayout::kPairs);
    color_to_yuv(grey.view(), of_grey.view(), coding, ColorOrder::kRgb);
    color_to_yuv(rgba.view(), of_colors.view(), coding, ColorOrder::kBgr);
    const bool full = coding.range == YuvRange::kFull;
    CHECK(of_grey.y(0, 0) == (full ? 0 : 16));
    CHECK(of_grey.y(255, 1) == (full ? 255 : 235));
    Image<Byte> back(256, 2, 3);
    yuv_to_color(of_grey.view(), back.view(), coding, ColorOrder::kRgb);
    bool same = true;
    int worst = 0;
    for (std::int64_t x = 0; x < 256; ++x) {
      same = same && of_grey.y(x, 0) == of_colors.y(x, 0) && of_grey.u(x, 0) == 128 &&
             of_grey.v(x, 1) == 128 && of_colors.u(x, 0) / 2 == 64;
      worst = std::max(worst, std::abs(back.at(x, 0, 1) - static_cast<int>(x)));
    }
    CHECK(same);
    CHECK(worst <= (full ? 0 : 1));
  }
}

TEST_CASE("layouts are copied into each other", "[kernels][yuv]") {
  Yuv planes(6, 5, YuvLayout::kPlanes);
  planes.fill(3);
  Yuv pairs(6, 5, YuvLayout::kPairs);
  Yuv packed(6, 5, YuvLayout::kPacked);
  Yuv again(6, 5, YuvLayout::kPlanes);
  copy_yuv(planes.view(), pairs.view());
  copy_yuv(pairs.view(), packed.view());
  copy_yuv(packed.view(), again.view());
  bool same = true;
  for (std::int64_t y = 0; y < 5; ++y) {
    for (std::int64_t x = 0; x < 6; ++x) {
      for (Yuv* const other : {&pairs, &packed, &again}) {
        same = same && other->y(x, y) == planes.y(x, y) && other->u(x, y) == planes.u(x, y) &&
               other->v(x, y) == planes.v(x, y);
      }
    }
  }
  CHECK(same);
  // Two rows of differences become one.
  packed.u(0, 0) = 10;
  packed.u(0, 1) = 13;
  packed.v(4, 4) = 99;
  copy_yuv(packed.view(), again.view());
  CHECK(again.u(0, 0) == 12);
  CHECK(again.v(4, 4) == 99);
}

TEST_CASE("YUV of other sizes and channels is refused", "[kernels][yuv]") {
  Yuv in(4, 4, YuvLayout::kPairs);
  Image<Byte> small(4, 3, 3);
  Image<Byte> two(4, 4, 2);
  CHECK_THROWS_AS(yuv_to_color(in.view(), small.view(), {}, ColorOrder::kRgb),
                  std::invalid_argument);
  CHECK_THROWS_AS(color_to_yuv(two.view(), in.view(), {}, ColorOrder::kRgb), std::invalid_argument);
  YuvView<Byte> odd = Yuv(4, 4, YuvLayout::kPacked).view();
  odd.width = 3;
  Image<Byte> narrow(3, 4, 3);
  CHECK_THROWS_AS(color_to_yuv(narrow.view(), odd, {}, ColorOrder::kRgb), std::invalid_argument);
  CHECK_THROWS_AS(copy_yuv({}, in.view()), std::invalid_argument);
}

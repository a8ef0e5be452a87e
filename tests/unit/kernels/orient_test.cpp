#include "gxr/kernels/orient.hpp"

#include <functional>
#include <utility>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

constexpr Orientation kAll[] = {Orientation::kUpright,    Orientation::kMirrored,
                                Orientation::kHalfTurn,   Orientation::kFlipped,
                                Orientation::kTransposed, Orientation::kTurnedRight,
                                Orientation::kTransverse, Orientation::kTurnedLeft};

/// Where the pixel (x, y) of a picture of this size goes.
std::pair<std::int64_t, std::int64_t> moved(Orientation orientation, std::int64_t x, std::int64_t y,
                                            std::int64_t width, std::int64_t height) {
  const std::int64_t right = width - 1 - x;
  const std::int64_t low = height - 1 - y;
  switch (orientation) {
    case Orientation::kMirrored:
      return {right, y};
    case Orientation::kHalfTurn:
      return {right, low};
    case Orientation::kFlipped:
      return {x, low};
    case Orientation::kTransposed:
      return {y, x};
    case Orientation::kTurnedRight:
      return {low, x};
    case Orientation::kTransverse:
      return {low, right};
    case Orientation::kTurnedLeft:
      return {y, right};
    default:
      return {x, y};
  }
}

}  // namespace

TEMPLATE_TEST_CASE("every pixel goes where its orientation says", "[kernels][orient]", std::uint8_t,
                   std::uint16_t, float) {
  for (const Orientation orientation : kAll) {
    for (std::int64_t channels = 1; channels <= 4; ++channels) {
      for (const auto& [width, height] :
           {std::pair<std::int64_t, std::int64_t>{1, 1}, {37, 1}, {1, 41}, {70, 33}, {64, 96}}) {
        CAPTURE(static_cast<int>(orientation), channels, width, height);
        Image<TestType> in(width, height, channels);
        in.fill([&](auto x, auto y, auto c) { return (7 * x + 13 * y + 29 * c) % 251; });
        const bool exchanges = exchanges_sides(orientation);
        Image<TestType> out(exchanges ? height : width, exchanges ? width : height, channels);
        orient<TestType>(in.view(), out.view(), orientation);
        bool right = true;
        for (std::int64_t y = 0; y < height; ++y) {
          for (std::int64_t x = 0; x < width; ++x) {
            const auto [to_x, to_y] = moved(orientation, x, y, width, height);
            for (std::int64_t c = 0; c < channels; ++c) {
              right = right && out.at(to_x, to_y, c) == in.at(x, y, c);
            }
          }
        }
        CHECK(right);
        CHECK(out.padding_untouched());
      }
    }
  }
}

TEST_CASE("pictures may be read from the last row to the first", "[kernels][orient]") {
  Image<std::uint8_t> in(5, 4, 3);
  in.fill([](auto x, auto y, auto c) { return 50 * y + 10 * x + c; });
  Image<std::uint8_t> out(5, 4, 3);
  orient<std::uint8_t>(in.upside_down(), out.view(), Orientation::kFlipped);
  CHECK(distance(out,
                 [&](auto x, auto y, auto c) { return static_cast<double>(in.at(x, y, c)); }) == 0);
}

TEST_CASE("wrong sizes, channels and orientations are refused", "[kernels][orient]") {
  Image<std::uint8_t> in(5, 4, 3);
  Image<std::uint8_t> same(5, 4, 3);
  Image<std::uint8_t> turned(4, 5, 3);
  Image<std::uint8_t> grey(5, 4, 1);
  CHECK_THROWS_AS(orient<std::uint8_t>(in.view(), turned.view(), Orientation::kMirrored),
                  std::invalid_argument);
  CHECK_THROWS_AS(orient<std::uint8_t>(in.view(), same.view(), Orientation::kTurnedLeft),
                  std::invalid_argument);
  CHECK_THROWS_AS(orient<std::uint8_t>(in.view(), grey.view(), Orientation::kUpright),
                  std::invalid_argument);
  CHECK_THROWS_AS(orient<std::uint8_t>(in.view(), same.view(), static_cast<Orientation>(9)),
                  std::invalid_argument);
}

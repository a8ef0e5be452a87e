#include "gxr/kernels/luma.hpp"

#include <cmath>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

struct Weights {
  LumaStandard standard;
  double red, green, blue;
};
constexpr Weights kWeights[] = {{LumaStandard::kBt601, 0.299, 0.587, 0.114},
                                {LumaStandard::kBt709, 0.2126, 0.7152, 0.0722},
                                {LumaStandard::kBt2020, 0.2627, 0.6780, 0.0593}};

}  // namespace

TEMPLATE_TEST_CASE("grey values have the weights of the standard", "[kernels][luma]", std::uint8_t,
                   std::uint16_t, float) {
  const double scale = static_cast<double>(full_scale<TestType>());
  for (const Weights& weights : kWeights) {
    for (const std::int64_t channels : {3, 4}) {
      Image<TestType> in(71, 9, channels);
      in.fill([&](auto x, auto y, auto c) {
        return static_cast<double>((31 * x + 57 * y + 101 * c) % 256) / 255 * scale;
      });
      Image<TestType> out(71, 9, 1);
      luma<TestType>(in.view(), out.view(), weights.standard);
      const auto exact = [&](auto x, auto y, auto) {
        return weights.red * static_cast<double>(in.at(x, y, 0)) +
               weights.green * static_cast<double>(in.at(x, y, 1)) +
               weights.blue * static_cast<double>(in.at(x, y, 2));
      };
      // Rounded to the nearest, with weights of 15 bits.
      CHECK(distance(out, exact) <= (scale > 1 ? 0.5 + scale * 3e-5 : 1e-6));
      CHECK(out.padding_untouched());
    }
  }
}

TEMPLATE_TEST_CASE("grey stays grey", "[kernels][luma]", std::uint8_t, std::uint16_t) {
  Image<TestType> in(256, 1, 3);
  const auto level = [](auto x, auto, auto) {
    return static_cast<double>(x) * (full_scale<TestType>() / 255);
  };
  in.fill(level);
  for (const Weights& weights : kWeights) {
    Image<TestType> out(256, 1, 1);
    luma<TestType>(in.view(), out.view(), weights.standard);
    CHECK(distance(out, [&](auto x, auto y, auto c) {
            return static_cast<double>(level(x, y, c));
          }) == 0);
  }
}

TEST_CASE("grey pictures have no luma", "[kernels][luma]") {
  Image<std::uint8_t> grey(3, 3, 1);
  Image<std::uint8_t> color(3, 3, 3);
  Image<std::uint8_t> narrow(2, 3, 1);
  CHECK_THROWS_AS(luma<std::uint8_t>(grey.view(), grey.view(), LumaStandard::kBt709),
                  std::invalid_argument);
  CHECK_THROWS_AS(luma<std::uint8_t>(color.view(), color.view(), LumaStandard::kBt709),
                  std::invalid_argument);
  CHECK_THROWS_AS(luma<std::uint8_t>(color.view(), narrow.view(), LumaStandard::kBt709),
                  std::invalid_argument);
}

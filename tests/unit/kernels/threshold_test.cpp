#include "gxr/kernels/threshold.hpp"

#include <limits>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

TEMPLATE_TEST_CASE("elements above the level and the others", "[kernels][threshold]", std::uint8_t,
                   std::uint16_t, float) {
  Image<TestType> in(67, 5, 3);
  in.fill([](auto x, auto y, auto c) { return (3 * x + 5 * y + c) % 200; });
  Image<TestType> out(67, 5, 3);
  const ThresholdRule<TestType> rule{TestType{100}, TestType{9}, TestType{4}};
  threshold<TestType>(in.view(), out.view(), rule);
  CHECK(distance(out, [&](auto x, auto y, auto c) {
          return in.at(x, y, c) > TestType{100} ? 9.0 : 4.0;
        }) == 0);
  CHECK(out.padding_untouched());
  threshold<TestType>(in.view(), in.view(), rule);
  CHECK(distance(
            in, [&](auto x, auto y, auto c) { return static_cast<double>(out.at(x, y, c)); }) == 0);
}

TEST_CASE("what is no number is not above a level", "[kernels][threshold]") {
  Image<float> in(3, 1, 1);
  in.at(0, 0) = std::numeric_limits<float>::quiet_NaN();
  in.at(1, 0) = std::numeric_limits<float>::infinity();
  in.at(2, 0) = -1.0F;
  Image<float> out(3, 1, 1);
  threshold<float>(in.view(), out.view(), {-2.0F, 1.0F, 0.0F});
  CHECK(out.at(0, 0) == 0.0F);
  CHECK(out.at(1, 0) == 1.0F);
  CHECK(out.at(2, 0) == 1.0F);
  Image<float> other(2, 1, 1);
  CHECK_THROWS_AS(threshold<float>(in.view(), other.view(), {}), std::invalid_argument);
}

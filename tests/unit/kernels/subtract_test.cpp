#include "gxr/kernels/subtract.hpp"

#include <cmath>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

TEMPLATE_TEST_CASE("pictures are subtracted element by element", "[kernels][subtract]",
                   std::uint8_t, std::uint16_t, float) {
  Image<TestType> a = random_image<TestType>(67, 5, 3);
  Image<TestType> b(67, 5, 3, 8);
  b.fill([&](auto x, auto y, auto c) { return a.at(66 - x, 4 - y, 2 - c); });
  Image<TestType> out(67, 5, 3);
  subtract_absolute<TestType>(a.view(), b.view(), out.view());
  const auto wanted = [&](auto x, auto y, auto c) {
    return std::abs(static_cast<double>(a.at(x, y, c)) - static_cast<double>(b.at(x, y, c)));
  };
  CHECK(distance(out, wanted) <= (full_scale<TestType>() == 1.0F ? 1e-7 : 0.0));
  CHECK(out.padding_untouched());
  Image<TestType> small(66, 5, 3);
  CHECK_THROWS_AS(subtract_absolute<TestType>(a.view(), small.view(), out.view()),
                  std::invalid_argument);
  CHECK_THROWS_AS(subtract_absolute<TestType>(a.view(), b.view(), small.view()),
                  std::invalid_argument);
}

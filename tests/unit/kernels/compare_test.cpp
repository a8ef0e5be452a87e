#include "gxr/kernels/compare.hpp"

#include <limits>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

TEMPLATE_TEST_CASE("comparison counts all channels inside the border", "[kernels][compare]",
                   std::uint8_t, std::uint16_t, float) {
  using T = TestType;
  const double top = static_cast<double>(full_scale<T>());
  Image<T> a(6, 5, 2);
  Image<T> b(6, 5, 2, 7);
  a.fill([](auto...) { return 0; });
  b.fill([](auto...) { return 0; });
  CHECK(mean_squared_error(a.view(), b.view()) == 0.0);
  CHECK(psnr(a.view(), b.view()) == std::numeric_limits<double>::infinity());
  a.at(3, 2, 1) = static_cast<T>(top);  // inside
  b.at(0, 2, 0) = static_cast<T>(top);  // on the border, in the other direction
  CHECK(mean_squared_error(a.view(), b.view()) == Catch::Approx(top * top * 2.0 / 60.0));
  CHECK(mean_squared_error(a.view(), b.view(), 1) == Catch::Approx(top * top / 24.0));
  CHECK(psnr(a.view(), b.view(), 1) == Catch::Approx(13.80211242));
  CHECK(max_abs_difference(a.view(), b.view(), 1) == top);
  a.at(3, 2, 1) = T{0};
  CHECK(max_abs_difference(a.view(), b.view(), 1) == 0.0);
  CHECK(max_abs_difference(a.view(), b.view()) == top);
}

TEST_CASE("difference of floats reports not-a-number", "[kernels][compare]") {
  Image<float> a(3, 1, 1);
  Image<float> b(3, 1, 1);
  a.fill(
      [](auto x, auto, auto) { return x == 1 ? std::numeric_limits<float>::quiet_NaN() : 0.0F; });
  b.fill([](auto...) { return 5.0F; });
  CHECK(std::isnan(max_abs_difference(a.view(), b.view())));
}

TEST_CASE("comparison refuses broken arguments", "[kernels][compare]") {
  Image<float> a(4, 3, 1);
  Image<float> b(3, 3, 1);
  Image<float> c(4, 3, 2);
  CHECK_NOTHROW(psnr(a.view(), a.view(), 1));
  CHECK_THROWS_AS(psnr(a.view(), a.view(), 2), std::invalid_argument);
  CHECK_THROWS_AS(psnr(a.view(), a.view(), -1), std::invalid_argument);
  CHECK_THROWS_AS(psnr(a.view(), b.view()), std::invalid_argument);
  CHECK_THROWS_AS(max_abs_difference(a.view(), c.view()), std::invalid_argument);
  CHECK_THROWS_AS(mean_squared_error(a.view(), c.view()), std::invalid_argument);
}

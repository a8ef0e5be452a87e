#include "gxr/kernels/compare.hpp"

#include <limits>

#include "check.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

/// The three results of the device.
template <class T>
std::vector<double> compared(DeviceImage<T>& a, DeviceImage<T>& b, std::int64_t border) {
  const TestStream stream;
  DeviceBytes workspace(compare_workspace_bytes());
  DeviceArray<double> results(3);
  const ImageView<const T> view_a = a.view();
  const ImageView<const T> view_b = b.view();
  double* out = results.data();
  mean_squared_error(view_a, view_b, border, out, workspace.data(), stream);
  psnr(view_a, view_b, border, out + 1, workspace.data(), stream);
  max_abs_difference(view_a, view_b, border, out + 2, workspace.data(), stream);
  return results.read();
}

template <class T>
void check_comparison(Image<T>& a, Image<T>& b, const Layout& layout_a, const Layout& layout_b,
                      std::int64_t border) {
  DeviceImage<T> device_a(a, layout_a);
  DeviceImage<T> device_b(b, layout_b);
  const std::vector<double> found = compared(device_a, device_b, border);
  const double wanted = mean_squared_error(a.view(), b.view(), border);
  INFO(a.width() << " x " << a.height() << " x " << a.channels() << ", border " << border << ", "
                 << text_of(layout_a));
  // Sums of 8-bit pictures are exact; others depend on the order from 2^53 on.
  if (std::is_same_v<T, std::uint8_t>) {
    CHECK(found[0] == wanted);
  } else {
    CHECK(found[0] == Catch::Approx(wanted).epsilon(1e-12));
  }
  CHECK(found[1] == Catch::Approx(psnr(a.view(), b.view(), border)).margin(1e-9).epsilon(0.0));
  CHECK(found[2] == max_abs_difference(a.view(), b.view(), border));
}

/// Another picture of the same shape.
template <class T>
Image<T> turned(Image<T>& image) {
  Image<T> other(image.width(), image.height(), image.channels());
  other.fill([&](auto x, auto y, auto c) {
    return image.at(image.width() - 1 - x, image.height() - 1 - y, c);
  });
  other.at(0, 0) = T{0};
  image.at(0, 0) = T{1};
  return other;
}

}  // namespace

TEMPLATE_TEST_CASE("pictures are compared as on the host", "[gpu][compare]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  for (const std::int64_t channels : {1, 3}) {
    for_each_shape([&](Size size, const Layout& layout_a, const Layout& layout_b) {
      Image<T> a = random_image<T>(size.width, size.height, channels);
      Image<T> b = turned(a);
      check_comparison(a, b, layout_a, layout_b, 0);
      if (size.width > 2 && size.height > 2) {
        check_comparison(a, b, layout_a, layout_b, 1);
      }
    });
  }
  Image<T> large = random_image<T>(2113, 1201, 3);
  Image<T> other = turned(large);
  check_comparison(large, other, {}, {}, 0);
  check_comparison(large, other, {}, {}, 4);
}

TEST_CASE("equal pictures and not-a-number", "[gpu][compare]") {
  Image<float> a = random_image<float>(700, 9, 3);
  DeviceImage<float> device_a(a, {});
  DeviceImage<float> same(a, {3, 1, false});
  const std::vector<double> equal = compared(device_a, same, 0);
  CHECK(equal[0] == 0.0);
  CHECK(equal[1] == std::numeric_limits<double>::infinity());
  CHECK(equal[2] == 0.0);
  a.at(350, 4, 1) = std::numeric_limits<float>::quiet_NaN();
  DeviceImage<float> broken(a, {});
  CHECK(std::isnan(compared(device_a, broken, 0)[2]));
}

TEST_CASE("comparisons refuse broken arguments on the device", "[gpu][compare]") {
  const TestStream stream;
  DeviceImage<float> rgb(4, 4, 3, {});
  DeviceImage<float> grey(4, 4, 1, {});
  DeviceBytes workspace(compare_workspace_bytes());
  DeviceArray<double> result(1);
  const ImageView<const float> a = rgb.view();
  const ImageView<const float> b = grey.view();
  void* w = workspace.data();
  CHECK_THROWS_AS(psnr(a, b, 0, result.data(), w, stream), std::invalid_argument);
  CHECK_THROWS_AS(psnr(a, a, 2, result.data(), w, stream), std::invalid_argument);
  CHECK_THROWS_AS(mean_squared_error(a, a, 0, nullptr, w, stream), std::invalid_argument);
  CHECK_THROWS_AS(max_abs_difference(a, a, 0, result.data(), nullptr, stream),
                  std::invalid_argument);
}

#include <cmath>
#include <vector>

#include "check.hpp"
#include "gxr/kernels/lens.hpp"
#include "gxr/kernels/luma.hpp"
#include "gxr/kernels/orient.hpp"
#include "gxr/kernels/remap.hpp"
#include "gxr/kernels/subtract.hpp"
#include "gxr/kernels/threshold.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

TEMPLATE_TEST_CASE("pictures are laid anew as on the host", "[gpu][orient]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  const TestStream stream;
  for (int number = 1; number <= 8; ++number) {
    const auto orientation = static_cast<Orientation>(number);
    for (std::int64_t channels = 1; channels <= 4; ++channels) {
      for_each_shape([&](Size size, const Layout& in_layout, const Layout& out_layout) {
        const bool exchanges = exchanges_sides(orientation);
        const std::int64_t width = exchanges ? size.height : size.width;
        const std::int64_t height = exchanges ? size.width : size.height;
        Image<T> in = random_image<T>(size.width, size.height, channels);
        Image<T> wanted(width, height, channels);
        orient<T>(in.view(), wanted.view(), orientation);
        DeviceImage<T> device_in(in, in_layout);
        DeviceImage<T> device_out(width, height, channels, out_layout);
        orient<T>(device_in.view(), device_out.view(), orientation, stream);
        INFO(text_of(size) << ", orientation " << number << ", channels " << channels);
        CHECK(device_out.difference(wanted) == "");
      });
    }
  }
}

TEMPLATE_TEST_CASE("elements are compared with a level as on the host", "[gpu][threshold]",
                   std::uint8_t, std::uint16_t, float) {
  using T = TestType;
  const T middle = static_cast<T>(full_scale<T>() / 2.0F);
  const ThresholdRule<T> rule{middle, static_cast<T>(full_scale<T>()), T{0}};
  for (const std::int64_t channels : {1, 3}) {
    check_transform<T, T>(
        channels, channels, [=](auto in, auto out) { threshold<T>(in, out, rule); },
        [=](auto in, auto out, Stream stream) { threshold<T>(in, out, rule, stream); });
  }
}

TEMPLATE_TEST_CASE("grey values are those of the host", "[gpu][luma]", std::uint8_t, std::uint16_t,
                   float) {
  using T = TestType;
  for (const LumaStandard standard :
       {LumaStandard::kBt601, LumaStandard::kBt709, LumaStandard::kBt2020}) {
    for (const std::int64_t channels : {3, 4}) {
      check_transform<T, T>(
          channels, 1, [=](auto in, auto out) { luma<T>(in, out, standard); },
          [=](auto in, auto out, Stream stream) { luma<T>(in, out, standard, stream); });
    }
  }
}

TEMPLATE_TEST_CASE("values at places are those of the host", "[gpu][remap]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  for (std::int64_t channels = 1; channels <= 4; ++channels) {
    check_transform<T, T>(
        channels, channels,
        [](auto in, auto out) {
          const LensModel lens{
              .focal_x = 40, .focal_y = 45, .center_x = 17, .center_y = 9, .k1 = -0.3};
          const auto places = undistorted_places(lens, out.width, out.height);
          remap_bilinear<T>(in, out, places.data());
        },
        [](auto in, auto out, Stream stream) {
          const LensModel lens{
              .focal_x = 40, .focal_y = 45, .center_x = 17, .center_y = 9, .k1 = -0.3};
          const auto places = undistorted_places(lens, out.width, out.height);
          DeviceArray<PicturePlace> on_device(places.data(), places.size());
          remap_bilinear<T>(in, out, on_device.data(), stream);
          require_success(cudaDeviceSynchronize());
        });
  }
}

TEMPLATE_TEST_CASE("differences are those of the host", "[gpu][subtract]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  const TestStream stream;
  for_each_shape([&](Size size, const Layout& in_layout, const Layout& out_layout) {
    Image<T> a = random_image<T>(size.width, size.height, 3);
    Image<T> b(size.width, size.height, 3);
    b.fill([&](auto x, auto y, auto c) { return a.at(size.width - 1 - x, y, 2 - c); });
    Image<T> wanted(size.width, size.height, 3);
    subtract_absolute<T>(a.view(), b.view(), wanted.view());
    DeviceImage<T> device_a(a, in_layout);
    DeviceImage<T> device_b(b, out_layout);
    DeviceImage<T> device_out(size.width, size.height, 3, out_layout);
    subtract_absolute<T>(device_a.view(), device_b.view(), device_out.view(), stream);
    INFO(text_of(size) << ", in " << text_of(in_layout) << ", out " << text_of(out_layout));
    CHECK(device_out.difference(wanted) == "");
  });
}

#include "gxr/kernels/scale.hpp"

#include "check.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

TEMPLATE_TEST_CASE("channels are multiplied as on the host", "[gpu][scale]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  const float factors[] = {0.5F, 1.3F, 0.0F, -1.0F};
  for (std::int64_t channels = 1; channels <= 4; ++channels) {
    check_transform<T, T>(
        channels, channels, [&](auto in, auto out) { scale_channels<T>(in, out, factors); },
        [&](auto in, auto out, Stream stream) { scale_channels<T>(in, out, factors, stream); });
  }
}

TEMPLATE_TEST_CASE("pictures of one colour are as on the host", "[gpu][scale]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  const float color[] = {3.0F, 0.25F, -1.0F, 1e9F};
  const TestStream stream;
  for_each_shape([&](Size size, const Layout&, const Layout& layout) {
    for (std::int64_t channels = 1; channels <= 4; ++channels) {
      Image<T> wanted(size.width, size.height, channels);
      fill_channels<T>(wanted.view(), color);
      DeviceImage<T> found(size.width, size.height, channels, layout);
      fill_channels<T>(found.view(), color, stream);
      INFO(text_of(size) << ", " << channels << " channels, " << text_of(layout));
      CHECK(found.difference(wanted) == "");
    }
  });
}

TEST_CASE("one number for each channel: broken arguments on the device", "[gpu][scale]") {
  const float one[] = {1.0F, 1.0F, 1.0F, 1.0F};
  DeviceImage<float> rgb(4, 4, 3, {});
  DeviceImage<float> grey(4, 4, 1, {});
  const TestStream stream;
  CHECK_THROWS_AS(scale_channels<float>(rgb.view(), grey.view(), one, stream),
                  std::invalid_argument);
  CHECK_THROWS_AS(scale_channels<float>(rgb.view(), rgb.view(), nullptr, stream),
                  std::invalid_argument);
  CHECK_THROWS_AS(fill_channels<float>(rgb.view(), one, nullptr), std::invalid_argument);
}

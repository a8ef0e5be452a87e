#include "gxr/kernels/brightness.hpp"

#include "check.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

constexpr BrightnessThresholds kThresholds{{0.1, 0.3, 0.45, 0.47, 0.49, 0.5, 0.51, 0.53, 0.9}, 9};

template <class T>
void check_class(Image<T>& image, const Layout& layout, const BrightnessThresholds& thresholds,
                 Stream stream) {
  std::int32_t wanted = -1;
  brightness_class(image.view(), thresholds, &wanted);
  DeviceBytes workspace(brightness_workspace_bytes());
  DeviceImage<T> device_image(image, layout);
  DeviceArray<std::int32_t> number(1);
  brightness_class(device_image.view(), thresholds, number.data(), workspace.data(), stream);
  INFO(image.width() << " x " << image.height() << " x " << image.channels() << ", "
                     << text_of(layout));
  CHECK(number.read()[0] == wanted);
}

/// The lowest threshold that the picture does not reach, and the one step below it that it does.
template <class T>
BrightnessThresholds around_mean(Image<T>& image) {
  double low = 0.0;
  double high = 1.0;
  for (int i = 0; i < 40; ++i) {
    const double middle = (low + high) / 2.0;
    std::int32_t reached = 0;
    brightness_class(image.view(), {{middle}, 1}, &reached);
    (reached == 1 ? low : high) = middle;
  }
  return {{low, high}, 2};
}

}  // namespace

TEMPLATE_TEST_CASE("brightness classes as on the host", "[gpu][brightness]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  const TestStream stream;
  for (std::int64_t channels = 1; channels <= 4; ++channels) {
    for_each_shape([&](Size size, const Layout& layout, const Layout&) {
      Image<T> image = random_image<T>(size.width, size.height, channels);
      check_class(image, layout, kThresholds, stream);
      check_class(image, layout, around_mean(image), stream);
    });
    Image<T> large = random_image<T>(2113, 1201, channels);
    check_class(large, {}, around_mean(large), stream);
  }
}

TEST_CASE("brightness of float values outside the range", "[gpu][brightness]") {
  Image<float> image(7, 1, 1);
  image.fill([](auto x, auto, auto) {
    const float special[] = {std::nanf(""), INFINITY, -INFINITY, -1.0F, 2.0F, 1.0F, 0.3F};
    return special[x];
  });
  check_class(image, {}, around_mean(image), TestStream());
}

TEST_CASE("brightness classes refuse broken arguments on the device", "[gpu][brightness]") {
  const TestStream stream;
  DeviceImage<float> rgb(4, 4, 3, {});
  DeviceArray<std::int32_t> number(1);
  DeviceBytes workspace(brightness_workspace_bytes());
  std::int32_t* const none = nullptr;
  const ImageView<const float> in = rgb.view();
  CHECK_THROWS_AS(brightness_class(in, kThresholds, none, workspace.data(), stream),
                  std::invalid_argument);
  CHECK_THROWS_AS(brightness_class(in, kThresholds, number.data(), nullptr, stream),
                  std::invalid_argument);
  CHECK_THROWS_AS(brightness_class(in, kThresholds, number.data(), workspace.data(), nullptr),
                  std::invalid_argument);
  CHECK_THROWS_AS(brightness_class(in, {{0.5, 0.4}, 2}, number.data(), workspace.data(), stream),
                  std::invalid_argument);
}

#include "gxr/kernels/histogram.hpp"

#include "check.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

template <class T>
void check_counts(Image<T>& image, const Layout& layout, Stream stream) {
  const auto bins = static_cast<std::size_t>(image.channels() * kHistogramBins);
  std::vector<std::uint32_t> wanted(bins);
  compute_histogram(image.view(), wanted.data());
  DeviceImage<T> device_image(image, layout);
  DeviceArray<std::uint32_t> counts(bins);
  compute_histogram(device_image.view(), counts.data(), stream);
  INFO(image.width() << " x " << image.height() << " x " << image.channels() << ", "
                     << text_of(layout));
  CHECK((counts.read() == wanted));
}

}  // namespace

TEMPLATE_TEST_CASE("histogram as on the host", "[gpu][histogram]", std::uint8_t, std::uint16_t,
                   float) {
  using T = TestType;
  const TestStream stream;
  for (std::int64_t channels = 1; channels <= 4; ++channels) {
    for_each_shape([&](Size size, const Layout& layout, const Layout&) {
      Image<T> image = random_image<T>(size.width, size.height, channels);
      check_counts(image, layout, stream);
    });
    Image<T> large = random_image<T>(2113, 1201, channels);
    check_counts(large, {}, stream);
    Image<T> even(1920, 1080, channels);
    even.fill([](auto...) { return full_scale<T>(); });
    check_counts(even, {}, stream);
  }
}

TEST_CASE("histogram of float values outside the range", "[gpu][histogram]") {
  Image<float> image(7, 1, 1);
  image.fill([](auto x, auto, auto) {
    const float special[] = {std::nanf(""), INFINITY, -INFINITY, -1.0F, 2.0F, 1.0F, 0.0F};
    return special[x];
  });
  check_counts(image, {}, TestStream());
}

TEMPLATE_TEST_CASE("histogram pictures as on the host", "[gpu][histogram]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  for (std::int64_t channels = 1; channels <= 4; ++channels) {
    Image<std::uint8_t> image = random_image<std::uint8_t>(97, 31, channels);
    std::vector<std::uint32_t> counts(static_cast<std::size_t>(channels * kHistogramBins));
    compute_histogram(image.view(), counts.data());
    DeviceArray<std::uint32_t> device_counts(counts.data(), counts.size());
    check_drawing<T>([&](auto rgb) { draw_histogram(counts.data(), channels, rgb); },
                     [&](auto rgb, Stream stream) {
                       draw_histogram(device_counts.data(), channels, rgb, stream);
                     });
  }
}

TEST_CASE("histogram kernels refuse broken arguments on the device", "[gpu][histogram]") {
  const TestStream stream;
  DeviceImage<float> rgb(4, 4, 3, {});
  DeviceArray<std::uint32_t> counts(3 * kHistogramBins);
  std::uint32_t* none = nullptr;
  const ImageView<const float> in = rgb.view();
  CHECK_THROWS_AS(compute_histogram(in, none, stream), std::invalid_argument);
  CHECK_THROWS_AS(compute_histogram(in, counts.data(), nullptr), std::invalid_argument);
  CHECK_THROWS_AS(draw_histogram(counts.data(), 5, rgb.view(), stream), std::invalid_argument);
}

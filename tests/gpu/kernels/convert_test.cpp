#include "gxr/kernels/convert.hpp"

#include <limits>

#include "check.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

template <class In, class Out>
void check_conversion(ScaleRange range) {
  for (const std::int64_t channels : {1, 3}) {
    check_transform<In, Out>(
        channels, channels,
        [=](auto in, auto out) { convert_elements(ImageView<const In>(in), out, range); },
        [=](auto in, auto out, Stream stream) {
          convert_elements(ImageView<const In>(in), out, range, stream);
        });
  }
}

}  // namespace

TEMPLATE_TEST_CASE("element types are converted as on the host", "[gpu][convert]", std::uint8_t,
                   std::uint16_t, float) {
  for (const ScaleRange range : {ScaleRange{0.0F, 1.0F}, ScaleRange{-1.3F, 0.7F}}) {
    check_conversion<TestType, std::uint8_t>(range);
    check_conversion<TestType, std::uint16_t>(range);
    check_conversion<TestType, float>(range);
  }
}

TEST_CASE("numbers that are none become 0", "[gpu][convert]") {
  Image<float> in(33, 1, 1);
  in.fill([](auto x, auto, auto) {
    const float special[] = {std::numeric_limits<float>::quiet_NaN(),
                             std::numeric_limits<float>::infinity(),
                             -std::numeric_limits<float>::infinity(), -0.0F, 1e30F};
    return special[x % 5];
  });
  Image<std::uint16_t> wanted(33, 1, 1);
  convert_elements(ImageView<const float>(in.view()), wanted.view());
  DeviceImage<float> device_in(in, {});
  DeviceImage<std::uint16_t> found(33, 1, 1, {});
  convert_elements(ImageView<const float>(device_in.view()), found.view(), {}, TestStream());
  CHECK(found.difference(wanted) == "");
}

TEMPLATE_TEST_CASE("channels are permuted as on the host", "[gpu][channels]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  for (std::int64_t in_channels = 1; in_channels <= 4; ++in_channels) {
    for (std::int64_t out_channels = 1; out_channels <= 4; ++out_channels) {
      const auto last = static_cast<int>(in_channels) - 1;
      const int order[] = {last, last / 2, 0, last};
      check_transform<T, T>(
          in_channels, out_channels, [&](auto in, auto out) { permute_channels(in, out, order); },
          [&](auto in, auto out, Stream stream) { permute_channels(in, out, order, stream); });
    }
  }
}

TEMPLATE_TEST_CASE("alpha is added and dropped as on the host", "[gpu][channels]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  const T alpha = static_cast<T>(full_scale<T>() / 3.0F);
  check_transform<T, T>(
      3, 4, [=](auto in, auto out) { add_alpha(in, out, alpha); },
      [=](auto in, auto out, Stream stream) { add_alpha(in, out, alpha, stream); });
  check_transform<T, T>(
      4, 3, [](auto in, auto out) { drop_alpha(in, out); },
      [](auto in, auto out, Stream stream) { drop_alpha(in, out, stream); });
}

TEST_CASE("conversions refuse broken arguments on the device", "[gpu][convert]") {
  const TestStream stream;
  DeviceImage<float> rgb(4, 4, 3, {});
  DeviceImage<float> rgba(4, 4, 4, {});
  DeviceImage<float> smaller(4, 3, 3, {});
  const ImageView<const float> in = rgb.view();
  CHECK_THROWS_AS(convert_elements(in, smaller.view(), {}, stream), std::invalid_argument);
  CHECK_THROWS_AS(convert_elements(in, rgb.view(), {1.0F, 1.0F}, stream), std::invalid_argument);
  const int order[] = {0, 1, 3};
  CHECK_THROWS_WITH(permute_channels(rgb.view(), rgb.view(), order, stream),
                    "channel order: entry 2 is 3, the input has channels 0 to 2");
  CHECK_THROWS_AS(add_alpha(rgba.view(), rgba.view(), 1.0F, stream), std::invalid_argument);
  CHECK_THROWS_AS(drop_alpha(rgb.view(), rgb.view(), stream), std::invalid_argument);
  CHECK_THROWS_WITH(drop_alpha(rgba.view(), rgb.view(), nullptr),
                    "stream must not be the legacy default stream");
  CHECK_THROWS_WITH(drop_alpha(rgba.view(), rgb.view(), cudaStreamLegacy),
                    "stream must not be the legacy default stream");
}

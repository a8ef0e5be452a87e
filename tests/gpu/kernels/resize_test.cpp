#include "gxr/kernels/resize.hpp"

#include "check.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

struct Scaling {
  Size in;
  Size out;
};

constexpr Scaling kScalings[] = {
    {{1, 1}, {1, 1}},      {{1, 1}, {5, 3}},       {{5, 3}, {1, 1}},        {{7, 5}, {7, 5}},
    {{8, 6}, {4, 3}},      {{9, 7}, {4, 3}},       {{9, 7}, {20, 15}},      {{40, 2}, {13, 5}},
    {{3, 50}, {7, 11}},    {{33, 9}, {32, 8}},     {{1000, 3}, {517, 300}}, {{2, 2}, {1030, 9}},
    {{1024, 8}, {512, 4}}, {{300, 300}, {9, 11}},  {{1, 40}, {1, 7}},       {{1200, 4}, {513, 3}},
    {{40, 30}, {60, 45}},  {{61, 97}, {45, 73}},   {{700, 40}, {210, 12}},  {{2000, 120}, {9, 2}},
    {{3, 90}, {9, 30}},    {{90, 3}, {30, 9}},     {{1030, 70}, {1545, 5}}, {{5000, 3}, {3, 2}},
    {{1056, 6}, {528, 3}}, {{2112, 12}, {528, 3}}, {{900, 45}, {200, 10}},  {{1600, 9}, {400, 9}}};

/// One that a warp goes down in strips of many rows.
constexpr Scaling kTall = {{5, 90000}, {7, 135001}};

template <class T, class Host, class Device>
void check_scaling(const Scaling& s, std::int64_t channels, Host host, Device device) {
  const TestStream stream;
  Image<T> in = random_image<T>(s.in.width, s.in.height, channels);
  Image<T> wanted(s.out.width, s.out.height, channels);
  host(in.view(), wanted.view());
  for (const Layout& layout : kLayouts) {
    DeviceImage<T> device_in(in, layout);
    DeviceImage<T> found(s.out.width, s.out.height, channels, layout);
    device(device_in.view(), found.view(), stream);
    INFO(text_of(s.in) << " to " << text_of(s.out) << ", channels " << channels << ", "
                       << text_of(layout));
    CHECK(found.difference(wanted) == "");
  }
}

template <class T, class Host, class Device>
void check_scalings(Host host, Device device) {
  check_scaling<T>(kTall, 3, host, device);
  for (const Scaling& s : kScalings) {
    for (std::int64_t channels = 1; channels <= 4; ++channels) {
      check_scaling<T>(s, channels, host, device);
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("nearest resize as on the host", "[gpu][resize]", std::uint8_t, std::uint16_t,
                   float) {
  check_scalings<TestType>(
      [](auto in, auto out) { resize_nearest(in, out); },
      [](auto in, auto out, Stream stream) { resize_nearest(in, out, stream); });
}

TEMPLATE_TEST_CASE("bilinear resize as on the host", "[gpu][resize]", std::uint8_t, std::uint16_t,
                   float) {
  check_scalings<TestType>(
      [](auto in, auto out) { resize_bilinear(in, out); },
      [](auto in, auto out, Stream stream) { resize_bilinear(in, out, stream); });
}

TEMPLATE_TEST_CASE("area resize as on the host", "[gpu][resize]", std::uint8_t, std::uint16_t,
                   float) {
  check_scalings<TestType>([](auto in, auto out) { resize_area(in, out); },
                           [](auto in, auto out, Stream stream) { resize_area(in, out, stream); });
}

TEST_CASE("resize refuses broken arguments on the device", "[gpu][resize]") {
  const TestStream stream;
  DeviceImage<float> rgb(4, 4, 3, {});
  DeviceImage<float> half(2, 2, 3, {});
  DeviceImage<float> grey(2, 2, 1, {});
  CHECK_THROWS_AS(resize_area(rgb.view(), grey.view(), stream), std::invalid_argument);
  CHECK_THROWS_AS(resize_bilinear(rgb.view(), half.view(), nullptr), std::invalid_argument);
}

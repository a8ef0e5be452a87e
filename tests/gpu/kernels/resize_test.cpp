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
    {{1, 1}, {1, 1}},      {{1, 1}, {5, 3}},      {{5, 3}, {1, 1}},        {{7, 5}, {7, 5}},
    {{8, 6}, {4, 3}},      {{9, 7}, {4, 3}},      {{9, 7}, {20, 15}},      {{40, 2}, {13, 5}},
    {{3, 50}, {7, 11}},    {{33, 9}, {32, 8}},    {{1000, 3}, {517, 300}}, {{2, 2}, {1030, 9}},
    {{1024, 8}, {512, 4}}, {{300, 300}, {9, 11}}, {{1, 40}, {1, 7}},       {{1200, 4}, {513, 3}}};

template <class T, class Host, class Device>
void check_scalings(Host host, Device device) {
  const TestStream stream;
  for (const Scaling& s : kScalings) {
    DeviceBytes workspace(
        resize_workspace_bytes(s.in.width, s.in.height, s.out.width, s.out.height));
    for (std::int64_t channels = 1; channels <= 4; ++channels) {
      Image<T> in = random_image<T>(s.in.width, s.in.height, channels);
      Image<T> wanted(s.out.width, s.out.height, channels);
      host(in.view(), wanted.view());
      for (const Layout& layout : kLayouts) {
        DeviceImage<T> device_in(in, layout);
        DeviceImage<T> found(s.out.width, s.out.height, channels, layout);
        device(device_in.view(), found.view(), workspace.data(), stream);
        INFO(text_of(s.in) << " to " << text_of(s.out) << ", channels " << channels << ", "
                           << text_of(layout));
        CHECK(found.difference(wanted) == "");
      }
    }
  }
}

}  // namespace

TEMPLATE_TEST_CASE("nearest resize as on the host", "[gpu][resize]", std::uint8_t, std::uint16_t,
                   float) {
  check_scalings<TestType>([](auto in, auto out) { resize_nearest(in, out); },
                           [](auto in, auto out, void* workspace, Stream stream) {
                             resize_nearest(in, out, workspace, stream);
                           });
}

TEMPLATE_TEST_CASE("bilinear resize as on the host", "[gpu][resize]", std::uint8_t, std::uint16_t,
                   float) {
  check_scalings<TestType>([](auto in, auto out) { resize_bilinear(in, out); },
                           [](auto in, auto out, void* workspace, Stream stream) {
                             resize_bilinear(in, out, workspace, stream);
                           });
}

TEMPLATE_TEST_CASE("area resize as on the host", "[gpu][resize]", std::uint8_t, std::uint16_t,
                   float) {
  check_scalings<TestType>([](auto in, auto out) { resize_area(in, out); },
                           [](auto in, auto out, void* workspace, Stream stream) {
                             resize_area(in, out, workspace, stream);
                           });
}

TEST_CASE("resize refuses broken arguments on the device", "[gpu][resize]") {
  const TestStream stream;
  DeviceImage<float> rgb(4, 4, 3, {});
  DeviceImage<float> half(2, 2, 3, {});
  DeviceImage<float> grey(2, 2, 1, {});
  DeviceBytes workspace(resize_workspace_bytes(4, 4, 2, 2));
  CHECK_THROWS_AS(resize_area(rgb.view(), grey.view(), workspace.data(), stream),
                  std::invalid_argument);
  CHECK_THROWS_AS(resize_nearest(rgb.view(), half.view(), nullptr, stream), std::invalid_argument);
  CHECK_THROWS_AS(resize_bilinear(rgb.view(), half.view(), workspace.data(), nullptr),
                  std::invalid_argument);
  CHECK(resize_workspace_bytes(0, 4, 2, 2) == 0);
}

#include "gxr/kernels/patterns.hpp"

#include "check.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

TEMPLATE_TEST_CASE("colour bars as on the host", "[gpu][patterns]", std::uint8_t, std::uint16_t,
                   float) {
  check_drawing<TestType>([](auto rgb) { draw_color_bars(rgb, 0.6F); },
                          [](auto rgb, Stream stream) { draw_color_bars(rgb, 0.6F, stream); });
}

TEMPLATE_TEST_CASE("noise as on the host", "[gpu][patterns]", std::uint8_t, std::uint16_t, float) {
  check_drawing<TestType>([](auto rgb) { draw_noise(rgb, 11, 5); },
                          [](auto rgb, Stream stream) { draw_noise(rgb, 11, 5, stream); });
}

TEMPLATE_TEST_CASE("zone plate comes close to the host's", "[gpu][patterns]", std::uint8_t,
                   std::uint16_t, float) {
  DeviceBytes workspace(zone_plate_workspace_bytes(1300, 300));
  for (const std::uint64_t frame : {0U, 7U}) {
    check_drawing<TestType>(
        [=](auto rgb) { draw_zone_plate(rgb, frame, 0.11); },
        [&](auto rgb, Stream stream) {
          draw_zone_plate(rgb, frame, 0.11, workspace.data(), stream);
        },
        [](auto& found, auto& wanted) { return found.difference_beyond(wanted, 1e-5); });
  }
}

TEST_CASE("patterns refuse broken arguments on the device", "[gpu][patterns]") {
  const TestStream stream;
  DeviceImage<float> rgb(4, 4, 3, {});
  DeviceImage<float> grey(4, 4, 1, {});
  DeviceBytes workspace(zone_plate_workspace_bytes(4, 4));
  CHECK_THROWS_AS(draw_color_bars(rgb.view(), 1.5F, stream), std::invalid_argument);
  CHECK_THROWS_AS(draw_noise(grey.view(), 0, 0, stream), std::invalid_argument);
  CHECK_THROWS_AS(draw_zone_plate(rgb.view(), 0, 0.1, nullptr, stream), std::invalid_argument);
  CHECK_THROWS_AS(draw_zone_plate(rgb.view(), 0, INFINITY, workspace.data(), stream),
                  std::invalid_argument);
}

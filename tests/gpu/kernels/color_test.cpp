#include "check.hpp"
#include "gxr/kernels/tone_curve.hpp"
#include "gxr/kernels/white_balance.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {
constexpr float kGains[] = {1.7F, 1.0F, 0.45F};
}  // namespace

TEMPLATE_TEST_CASE("gains are applied as on the host", "[gpu][color]", std::uint8_t, std::uint16_t,
                   float) {
  using T = TestType;
  DeviceArray<float> gains(kGains, 3);
  for (const std::int64_t channels : {3, 4}) {
    const auto host = [&](auto in, auto out) { apply_gains(in, out, kGains); };
    const auto device = [&](auto in, auto out, Stream stream) {
      apply_gains(in, out, gains.data(), stream);
    };
    check_transform<T, T>(channels, channels, host, device);
    check_in_place<T>(channels, host, device);
  }
}

TEMPLATE_TEST_CASE("grey-world gains as on the host", "[gpu][color]", std::uint8_t, std::uint16_t,
                   float) {
  using T = TestType;
  const TestStream stream;
  DeviceBytes workspace(grey_world_workspace_bytes());
  for (const std::int64_t channels : {3, 4}) {
    for_each_shape([&](Size size, const Layout& layout, const Layout&) {
      Image<T> image = random_image<T>(size.width, size.height, channels);
      float wanted[3];
      grey_world_gains(image.view(), wanted);
      DeviceImage<T> device_image(image, layout);
      DeviceArray<float> gains(3);
      grey_world_gains(device_image.view(), gains.data(), workspace.data(), stream);
      const std::vector<float> found = gains.read();
      INFO(text_of(size) << ", channels " << channels << ", " << text_of(layout));
      for (std::size_t c = 0; c < 3; ++c) {
        if (full_scale<T>() == 1.0F) {
          CHECK(found[c] == Catch::Approx(wanted[c]).epsilon(1e-6));
        } else {
          CHECK(found[c] == wanted[c]);
        }
      }
    });
  }
}

TEMPLATE_TEST_CASE("grey-world gains of a large picture", "[gpu][color]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  const TestStream stream;
  DeviceBytes workspace(grey_world_workspace_bytes());
  Image<T> image = random_image<T>(2113, 1201, 3, 0);
  float wanted[3];
  grey_world_gains(image.view(), wanted);
  DeviceImage<T> device_image(image, {});
  DeviceArray<float> gains(3);
  grey_world_gains(device_image.view(), gains.data(), workspace.data(), stream);
  for (std::size_t c = 0; c < 3; ++c) {
    CHECK(gains.read()[c] == Catch::Approx(wanted[c]).epsilon(1e-6));
  }
}

TEMPLATE_TEST_CASE("tone tables are applied as on the host", "[gpu][color]", std::uint8_t,
                   std::uint16_t) {
  using T = TestType;
  const ToneTable<T> table(srgb_curve());
  DeviceArray<T> entries(table.data(), static_cast<std::size_t>(table.size()));
  for (std::int64_t channels = 1; channels <= 4; ++channels) {
    const auto host = [&](auto in, auto out) { apply_tone_table(in, out, table.data()); };
    const auto device = [&](auto in, auto out, Stream stream) {
      apply_tone_table(in, out, entries.data(), stream);
    };
    check_transform<T, T>(channels, channels, host, device);
    check_in_place<T>(channels, host, device);
  }
}

TEST_CASE("tone tables need not be aligned", "[gpu][color]") {
  const ToneTable<std::uint16_t> table(gamma_curve(2.2F));
  DeviceArray<std::uint16_t> entries(static_cast<std::size_t>(table.size()) + 1);
  testing::require_success(cudaMemcpy(entries.data() + 1, table.data(),
                                      static_cast<std::size_t>(table.size()) * 2,
                                      cudaMemcpyHostToDevice));
  testing::finish_copies();
  check_transform<std::uint16_t, std::uint16_t>(
      3, 3, [&](auto in, auto out) { apply_tone_table(in, out, table.data()); },
      [&](auto in, auto out, Stream stream) {
        apply_tone_table(in, out, entries.data() + 1, stream);
      });
}

TEST_CASE("tone curves of float pictures come close to the host's", "[gpu][color]") {
  for (const ToneCurve curve : {srgb_curve(), gamma_curve(2.2F), gamma_curve(0.4545F)}) {
    for (std::int64_t channels = 1; channels <= 4; ++channels) {
      const auto host = [&](auto in, auto out) { apply_tone_curve(in, out, curve); };
      const auto device = [&](auto in, auto out, Stream stream) {
        apply_tone_curve(in, out, curve, stream);
      };
      check_transform<float, float>(
          channels, channels, host, device,
          [](auto& found, auto& wanted) { return found.difference_beyond(wanted, 1e-6); });
      check_in_place<float>(channels, host, device);
    }
  }
}

TEST_CASE("colour kernels refuse broken arguments on the device", "[gpu][color]") {
  const TestStream stream;
  DeviceImage<std::uint8_t> rgb(4, 4, 3, {});
  DeviceImage<std::uint8_t> grey(4, 4, 1, {});
  DeviceBytes memory(1024);
  auto* gains = static_cast<float*>(memory.data());
  auto* table = static_cast<std::uint8_t*>(memory.data());
  const auto no_gains = static_cast<float*>(nullptr);
  const ImageView<const std::uint8_t> in = rgb.view();
  CHECK_THROWS_AS(apply_gains(grey.view(), grey.view(), gains, stream), std::invalid_argument);
  CHECK_THROWS_AS(apply_gains(rgb.view(), rgb.view(), no_gains, stream), std::invalid_argument);
  CHECK_THROWS_AS(grey_world_gains(in, no_gains, memory.data(), stream), std::invalid_argument);
  CHECK_THROWS_AS(grey_world_gains(in, gains, nullptr, stream), std::invalid_argument);
  CHECK_THROWS_WITH(grey_world_gains(in, gains, gains + 1, stream),
                    "workspace must be aligned to 16 bytes");
  CHECK_THROWS_AS(apply_tone_table(rgb.view(), grey.view(), table, stream), std::invalid_argument);
  CHECK_THROWS_AS(
      apply_tone_table(rgb.view(), rgb.view(), static_cast<std::uint8_t*>(nullptr), stream),
      std::invalid_argument);
}

#include "gxr/kernels/raw.hpp"

#include "check.hpp"
#include "gxr/kernels/black_level.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

/// Bytes with all bits set and none, and any: random_image() has them.
void check_unpacking(RawFormat format, RawScale scale, std::int64_t groups, std::int64_t height,
                     const Layout& in_layout, const Layout& out_layout, const TestStream& stream) {
  const std::int64_t width = groups * raw_group_pixels(format);
  // Three bytes behind the pixels of each row belong to the picture and are not read.
  Image<std::uint8_t> packed =
      random_image<std::uint8_t>(groups * raw_group_bytes(format) + 3, height, 1);
  Image<std::uint16_t> wanted(width, height, 1);
  unpack_raw(packed.view(), wanted.view(), format, scale);
  DeviceImage<std::uint8_t> device_packed(packed, in_layout);
  for (const std::int64_t unread : {3, 0}) {
    ImageView<std::uint8_t> view = device_packed.view();
    view.width -= 3 - unread;
    DeviceImage<std::uint16_t> found(width, height, 1, out_layout);
    unpack_raw(view, found.view(), format, scale, stream);
    INFO("RAW" << raw_bits(format) << ", " << groups << " groups x " << height << ", in "
               << text_of(in_layout) << ", out " << text_of(out_layout));
    CHECK(found.difference(wanted) == "");
  }
}

}  // namespace

TEST_CASE("raw formats are unpacked as on the host", "[gpu][raw]") {
  const TestStream stream;
  for (const RawFormat format : {RawFormat::kRaw10, RawFormat::kRaw12, RawFormat::kRaw14}) {
    for (const RawScale scale : {RawScale::kSensor, RawScale::kFull}) {
      for_each_shape([&](Size size, const Layout& in, const Layout& out) {
        check_unpacking(format, scale, size.width, size.height, in, out, stream);
      });
    }
  }
}

TEST_CASE("rows without gaps are unpacked as one", "[gpu][raw]") {
  const TestStream stream;
  for (const RawFormat format : {RawFormat::kRaw10, RawFormat::kRaw12, RawFormat::kRaw14}) {
    Image<std::uint8_t> packed =
        random_image<std::uint8_t>(129 * raw_group_bytes(format), 21, 1, 0);
    Image<std::uint16_t> wanted(129 * raw_group_pixels(format), 21, 1);
    unpack_raw(packed.view(), wanted.view(), format, RawScale::kSensor);
    DeviceImage<std::uint8_t> device_packed(packed, {});
    DeviceImage<std::uint16_t> found(wanted.width(), 21, 1, {});
    unpack_raw(device_packed.view(), found.view(), format, RawScale::kSensor, stream);
    CHECK(found.difference(wanted) == "");
  }
}

TEST_CASE("unpacking refuses broken arguments on the device", "[gpu][raw]") {
  const TestStream stream;
  DeviceImage<std::uint8_t> packed(10, 2, 1, {});
  DeviceImage<std::uint16_t> fitting(8, 2, 1, {});
  DeviceImage<std::uint16_t> wider(12, 2, 1, {});
  DeviceImage<std::uint16_t> odd(7, 2, 1, {});
  constexpr auto format = RawFormat::kRaw10;
  constexpr auto scale = RawScale::kSensor;
  CHECK_THROWS_AS(unpack_raw(packed.view(), wider.view(), format, scale, stream),
                  std::invalid_argument);
  CHECK_THROWS_AS(unpack_raw(packed.view(), odd.view(), format, scale, stream),
                  std::invalid_argument);
  CHECK_THROWS_AS(unpack_raw(packed.view(), fitting.view(), format, scale, nullptr),
                  std::invalid_argument);
}

TEMPLATE_TEST_CASE("black levels are taken off as on the host", "[gpu][black]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  BlackLevels levels;
  for (int place = 0; place < 4; ++place) {
    levels.level[place] = full_scale<T>() * static_cast<float>(place + 1) / 17.0F;
    levels.gain[place] = 1.0F + static_cast<float>(place) / 3.0F;
  }
  DeviceArray<BlackLevels> on_device(&levels, 1);
  check_transform<T, T>(
      1, 1, [&](auto in, auto out) { subtract_black<T>(in, out, levels); },
      [&](auto in, auto out, Stream stream) {
        subtract_black<T>(in, out, on_device.data(), stream);
      });
  check_in_place<T>(
      1, [&](auto in, auto out) { subtract_black<T>(in, out, levels); },
      [&](auto in, auto out, Stream stream) {
        subtract_black<T>(in, out, on_device.data(), stream);
      });
}

TEMPLATE_TEST_CASE("black levels are measured as on the host", "[gpu][black]", std::uint8_t,
                   std::uint16_t, float) {
  using T = TestType;
  const TestStream stream;
  DeviceArray<std::uint64_t> workspace(measure_black_workspace_bytes() / sizeof(std::uint64_t));
  for_each_shape([&](Size size, const Layout& layout, const Layout&) {
    if (size.width < 2 || size.height < 2) {
      return;
    }
    Image<T> image = random_image<T>(size.width, size.height, 1);
    DeviceImage<T> device_image(image, layout);
    const PixelArea areas[] = {{0, 0, size.width, size.height},
                               {size.width - 2, size.height - 2, 2, 2},
                               {size.width / 3, size.height / 3, size.width - size.width / 3,
                                size.height - size.height / 3}};
    for (const PixelArea& area : areas) {
      for (const float white : {0.0F, full_scale<T>()}) {
        if (area.width < 2 || area.height < 2) {
          continue;
        }
        BlackLevels wanted;
        measure_black<T>(image.view(), area, white, &wanted);
        DeviceArray<BlackLevels> found(1);
        measure_black<T>(device_image.view(), area, white, found.data(), workspace.data(), stream);
        const BlackLevels levels = found.read().front();
        INFO(text_of(size) << ", " << text_of(layout) << ", area from " << area.left << ", "
                           << area.top << ", white " << white);
        for (int place = 0; place < 4; ++place) {
          CHECK(levels.level[place] == wanted.level[place]);
          CHECK(levels.gain[place] == wanted.gain[place]);
        }
      }
    }
  });
}

TEST_CASE("black levels refuse broken arguments on the device", "[gpu][black]") {
  const TestStream stream;
  DeviceImage<float> raw(4, 4, 1, {});
  DeviceImage<float> rgb(4, 4, 3, {});
  DeviceArray<BlackLevels> levels(1);
  DeviceArray<std::uint64_t> workspace(measure_black_workspace_bytes() / sizeof(std::uint64_t));
  CHECK_THROWS_AS(subtract_black<float>(rgb.view(), rgb.view(), levels.data(), stream),
                  std::invalid_argument);
  CHECK_THROWS_AS(subtract_black<float>(raw.view(), raw.view(), nullptr, stream),
                  std::invalid_argument);
  CHECK_THROWS_AS(
      measure_black<float>(raw.view(), {0, 0, 5, 2}, 0.0F, levels.data(), workspace.data(), stream),
      std::invalid_argument);
  CHECK_THROWS_AS(
      measure_black<float>(raw.view(), {0, 0, 2, 2}, 0.0F, levels.data(), nullptr, stream),
      std::invalid_argument);
}

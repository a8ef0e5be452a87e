#include "gxr/kernels/raw.hpp"

#include <cstdint>
#include <vector>

#include "catch.hpp"
#include "image.hpp"

using namespace gxr::kernels;
using namespace gxr::kernels::testing;

namespace {

constexpr RawFormat kFormats[] = {RawFormat::kRaw10, RawFormat::kRaw12, RawFormat::kRaw14};

/// Packs as the standard says it: bytes of high bits, and then all low bits as one number, the
/// first pixel's lowest.
std::vector<std::uint8_t> pack(const std::vector<std::uint32_t>& pixels, RawFormat format) {
  const auto group = static_cast<std::size_t>(raw_group_pixels(format));
  const int low = raw_bits(format) - 8;
  std::vector<std::uint8_t> bytes;
  for (std::size_t first = 0; first < pixels.size(); first += group) {
    for (std::size_t i = 0; i < group; ++i) {
      bytes.push_back(static_cast<std::uint8_t>(pixels[first + i] >> low));
    }
    std::vector<bool> bits;
    for (std::size_t i = 0; i < group; ++i) {
      for (int bit = 0; bit < low; ++bit) {
        bits.push_back((pixels[first + i] >> bit & 1U) != 0);
      }
    }
    for (std::size_t bit = 0; bit < bits.size(); bit += 8) {
      unsigned byte = 0;
      for (std::size_t i = 0; i < 8; ++i) {
        byte += bits[bit + i] ? 1U << i : 0U;
      }
      bytes.push_back(static_cast<std::uint8_t>(byte));
    }
  }
  return bytes;
}

}  // namespace

TEST_CASE("groups of the packed formats", "[kernels][raw]") {
  CHECK(raw_group_bytes(RawFormat::kRaw10) == 5);
  CHECK(raw_group_bytes(RawFormat::kRaw12) == 3);
  CHECK(raw_group_bytes(RawFormat::kRaw14) == 7);
}

TEST_CASE("one group of each format, by hand", "[kernels][raw]") {
  const auto unpacked = [](std::vector<std::uint8_t> bytes, RawFormat format) {
    std::vector<std::uint16_t> pixels(static_cast<std::size_t>(raw_group_pixels(format)));
    unpack_raw(packed_view<const std::uint8_t>(bytes.data(), std::ssize(bytes), 1, 1),
               packed_view(pixels.data(), std::ssize(pixels), 1, 1), format, RawScale::kSensor);
    return pixels;
  };
  using Pixels = std::vector<std::uint16_t>;
  CHECK(unpacked({0x01, 0x80, 0xff, 0x00, 0b11'01'10'00}, RawFormat::kRaw10) ==
        Pixels{0x004, 0x202, 0x3fd, 0x003});
  CHECK(unpacked({0x12, 0xab, 0xc3}, RawFormat::kRaw12) == Pixels{0x123, 0xabc});
  // The low 24 bits: 0b000001 of the first pixel, 0b100000, 0b111111, 0b010101 of the last.
  CHECK(unpacked({0x01, 0x02, 0x03, 0xff, 0b00'000001, 0b1111'1000, 0b010101'11},
                 RawFormat::kRaw14) == Pixels{0x0041, 0x00a0, 0x00ff, 0x3fd5});
}

TEST_CASE("rows of any length are unpacked, and nothing else is written", "[kernels][raw]") {
  for (const RawFormat format : kFormats) {
    for (const std::int64_t groups : {1, 2, 7, 16, 33, 200}) {
      const std::int64_t width = groups * raw_group_pixels(format);
      const std::int64_t bytes = groups * raw_group_bytes(format);
      Image<std::uint8_t> packed(bytes, 3, 1, 5);
      Image<std::uint16_t> wanted(width, 3, 1);
      Random random;
      for (std::int64_t y = 0; y < 3; ++y) {
        std::vector<std::uint32_t> pixels(static_cast<std::size_t>(width));
        for (std::int64_t x = 0; x < width; ++x) {
          const auto value = static_cast<std::uint32_t>(random.unit() * (1 << raw_bits(format)));
          pixels[static_cast<std::size_t>(x)] = value;
          wanted.at(x, y) = static_cast<std::uint16_t>(value);
        }
        const std::vector<std::uint8_t> row = pack(pixels, format);
        REQUIRE(std::ssize(row) == bytes);
        std::copy(row.begin(), row.end(), packed.view().row(y));
      }
      INFO("RAW" << raw_bits(format) << ", " << groups << " groups");
      Image<std::uint16_t> sensor(width, 3, 1);
      unpack_raw(packed.view(), sensor.view(), format, RawScale::kSensor);
      CHECK(distance(sensor, [&](auto x, auto y, auto) { return double{1} * wanted.at(x, y); }) ==
            0.0);
      CHECK(sensor.padding_untouched());
      // Full scale: at most one step beside the exact proportion, and exact at both ends.
      Image<std::uint16_t> full(width, 3, 1);
      unpack_raw(packed.view(), full.view(), format, RawScale::kFull);
      const double top = (1 << raw_bits(format)) - 1;
      CHECK(distance(full, [&](auto x, auto y, auto) { return wanted.at(x, y) / top * 65535.0; }) <
            1.0);
      // Bytes behind the pixels are not read.
      ImageView<std::uint8_t> longer = packed.view();
      longer.width += 5;
      Image<std::uint16_t> again(width, 3, 1);
      unpack_raw(longer, again.view(), format, RawScale::kSensor);
      CHECK(distance(again, [&](auto x, auto y, auto) { return double{1} * wanted.at(x, y); }) ==
            0.0);
    }
  }
}

TEST_CASE("full scale ends at 0 and 65535", "[kernels][raw]") {
  for (const RawFormat format : kFormats) {
    const auto pixels = static_cast<std::size_t>(raw_group_pixels(format));
    for (const std::uint32_t value : {0U, (1U << raw_bits(format)) - 1U}) {
      const std::vector<std::uint8_t> bytes =
          pack(std::vector<std::uint32_t>(pixels, value), format);
      std::vector<std::uint16_t> found(pixels, 1);
      unpack_raw(packed_view<const std::uint8_t>(bytes.data(), std::ssize(bytes), 1, 1),
                 packed_view(found.data(), std::ssize(found), 1, 1), format, RawScale::kFull);
      CHECK(found ==
            std::vector<std::uint16_t>(pixels, static_cast<std::uint16_t>(value == 0 ? 0 : 65535)));
    }
  }
}

TEST_CASE("unpacking refuses what does not fit", "[kernels][raw]") {
  Image<std::uint8_t> packed(10, 2, 1);
  Image<std::uint16_t> eight(8, 2, 1);
  Image<std::uint16_t> twelve(12, 2, 1);
  Image<std::uint16_t> seven(7, 2, 1);
  Image<std::uint16_t> lower(8, 3, 1);
  constexpr auto format = RawFormat::kRaw10;
  constexpr auto scale = RawScale::kSensor;
  CHECK_NOTHROW(unpack_raw(packed.view(), eight.view(), format, scale));
  CHECK_THROWS_WITH(unpack_raw(packed.view(), twelve.view(), format, scale),
                    "image 'packed': a row has fewer bytes than its pixels need");
  CHECK_THROWS_WITH(unpack_raw(packed.view(), seven.view(), format, scale),
                    "image 'bayer': width must be a multiple of the pixels of a group");
  CHECK_THROWS_AS(unpack_raw(packed.view(), lower.view(), format, scale), std::invalid_argument);
}

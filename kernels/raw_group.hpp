#pragma once

#include "contract.hpp"
#include "gxr/kernels/raw.hpp"

/// The arithmetic of raw.hpp, which host and device share.

namespace gxr::kernels {

/// `high`: the byte of the pixel. `low`: all low bits of the group.
template <RawFormat Format, RawScale Scale>
GXR_HOST_DEVICE constexpr std::uint32_t raw_sample(std::uint32_t high, std::uint32_t low,
                                                   int pixel) {
  constexpr int bits = raw_bits(Format);
  constexpr int low_bits = bits - 8;
  const std::uint32_t own = low >> (low_bits * pixel) & ((1U << low_bits) - 1U);
  const std::uint32_t sample = high << low_bits | own;
  return Scale == RawScale::kSensor ? sample : sample << (16 - bits) | sample >> (2 * bits - 16);
}

/// `packed` without what lies behind the pixels.
inline ImageView<const std::uint8_t> require_raw(ImageView<const std::uint8_t> packed,
                                                 ImageView<std::uint16_t> bayer, RawFormat format) {
  require_channels(packed, 1, "packed");
  require_channels(bayer, 1, "bayer");
  require(packed.height == bayer.height, "images 'packed' and 'bayer' must have the same height");
  require(bayer.width % raw_group_pixels(format) == 0,
          "image 'bayer': width must be a multiple of the pixels of a group");
  const std::int64_t bytes = bayer.width / raw_group_pixels(format) * raw_group_bytes(format);
  require(packed.width >= bytes, "image 'packed': a row has fewer bytes than its pixels need");
  packed.width = bytes;
  return packed;
}

/// Calls use.operator()<format, scale>().
template <class Use>
void with_raw_format(RawFormat format, RawScale scale, Use use) {
  const auto with_scale = [&]<RawFormat Format>() {
    if (scale == RawScale::kSensor) {
      use.template operator()<Format, RawScale::kSensor>();
    } else {
      use.template operator()<Format, RawScale::kFull>();
    }
  };
  switch (format) {
    case RawFormat::kRaw10:
      return with_scale.template operator()<RawFormat::kRaw10>();
    case RawFormat::kRaw12:
      return with_scale.template operator()<RawFormat::kRaw12>();
    case RawFormat::kRaw14:
      return with_scale.template operator()<RawFormat::kRaw14>();
  }
}

}  // namespace gxr::kernels

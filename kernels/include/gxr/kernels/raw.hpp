#pragma once

#include <cstdint>

#include "gxr/kernels/image_view.hpp"
#include "gxr/kernels/stream.hpp"

/// Raw sensor pictures as cameras send them over MIPI CSI-2.

namespace gxr::kernels {

/// Packed formats of CSI-2. A group of pixels has one byte with the high eight bits of each, and
/// then the low bits of all, those of the first pixel lowest: RAW10 has four pixels in five bytes,
/// RAW12 two in three, RAW14 four in seven.
enum class RawFormat : std::uint8_t { kRaw10, kRaw12, kRaw14 };

/// Bits of a pixel.
GXR_HOST_DEVICE constexpr int raw_bits(RawFormat format) {
  return format == RawFormat::kRaw10 ? 10 : format == RawFormat::kRaw12 ? 12 : 14;
}

/// Pixels of a group.
GXR_HOST_DEVICE constexpr std::int64_t raw_group_pixels(RawFormat format) {
  return format == RawFormat::kRaw12 ? 2 : 4;
}

/// Bytes of a group.
GXR_HOST_DEVICE constexpr std::int64_t raw_group_bytes(RawFormat format) {
  return raw_group_pixels(format) * raw_bits(format) / 8;
}

/// Whether numbers are as the sensor gave them (0..1023 of RAW10), or cover the range of 16 bits:
/// their highest bits are repeated below the lowest, so that the greatest number becomes 65535.
enum class RawScale : std::uint8_t { kSensor, kFull };

/// Unpacks a picture. `packed`: H rows of bytes, 1 channel, its width the bytes of a row; bytes
/// behind those of the pixels are not read. `bayer`: W x H x 1, where W is a multiple of
/// raw_group_pixels(format).
/// Throws std::invalid_argument if W is none, a row is too short, or heights differ.
void unpack_raw(ImageView<const std::uint8_t> packed, ImageView<std::uint16_t> bayer,
                RawFormat format, RawScale scale);

/// The same on a CUDA stream.
void unpack_raw(ImageView<const std::uint8_t> packed, ImageView<std::uint16_t> bayer,
                RawFormat format, RawScale scale, Stream stream);

}  // namespace gxr::kernels

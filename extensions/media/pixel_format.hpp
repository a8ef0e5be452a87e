#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <utility>

#include "gxr/parameter.hpp"
#include "gxr/tensor.hpp"

namespace gxr {
namespace media {

/// How the bytes of a picture follow each other.
enum class PixelFormat : std::uint8_t {
  Rgb,
  Bgr,
  Rgba,
  Gray8,
  Gray16,
  Yuy2,
  Bayer8,
  Nv12,
  I420,
  P010,
  Bayer10,
  Bayer12,
  Bayer14,
  Bayer16
};

struct FormatFacts {
  const char* name;      ///< for people
  const char* in_caps;   ///< GStreamer's, of video/x-raw; of video/x-bayer for a mosaic
  ElementType type;      ///< of a sample
  std::int32_t samples;  ///< that follow each other for a pixel; 0: several planes, no tensor
};

/// In the order of PixelFormat.
inline constexpr std::array<FormatFacts, 14> kFormatFacts = {{
    {"RGB", "RGB", ElementType::UInt8, 3},
    {"BGR", "BGR", ElementType::UInt8, 3},
    {"RGBA", "RGBA", ElementType::UInt8, 4},
    {"GRAY8", "GRAY8", ElementType::UInt8, 1},
    {"GRAY16", "GRAY16_LE", ElementType::UInt16, 1},
    {"YUY2", "YUY2", ElementType::UInt8, 2},
    {"BAYER8", "{rggb,bggr,grbg,gbrg}", ElementType::UInt8, 1},
    {"NV12", "NV12", ElementType::UInt8, 0},
    {"I420", "I420", ElementType::UInt8, 0},
    {"P010", "P010_10LE", ElementType::UInt16, 0},
    {"BAYER10", "{rggb10le,bggr10le,grbg10le,gbrg10le}", ElementType::UInt16, 1},
    {"BAYER12", "{rggb12le,bggr12le,grbg12le,gbrg12le}", ElementType::UInt16, 1},
    {"BAYER14", "{rggb14le,bggr14le,grbg14le,gbrg14le}", ElementType::UInt16, 1},
    {"BAYER16", "{rggb16le,bggr16le,grbg16le,gbrg16le}", ElementType::UInt16, 1},
}};

inline constexpr const FormatFacts& facts_of(PixelFormat format) {
  return kFormatFacts[static_cast<std::size_t>(format)];
}
inline constexpr const char* name_of(PixelFormat format) { return facts_of(format).name; }
inline constexpr std::int32_t channels_of(PixelFormat format) { return facts_of(format).samples; }
/// Are its planes a VideoBuffer instead of a tensor?
inline constexpr bool is_planar(PixelFormat format) { return facts_of(format).samples == 0; }
/// Does a pixel have the sample of one colour, as a sensor sees it?
inline constexpr bool is_mosaic(PixelFormat format) {
  return format == PixelFormat::Bayer8 || format >= PixelFormat::Bayer10;
}

}  // namespace media

template <>
struct EnumNames<media::PixelFormat> {
  static constexpr std::pair<media::PixelFormat, const char*> values[] = {
      {media::PixelFormat::Rgb, "RGB"},         {media::PixelFormat::Bgr, "BGR"},
      {media::PixelFormat::Rgba, "RGBA"},       {media::PixelFormat::Gray8, "GRAY8"},
      {media::PixelFormat::Gray16, "GRAY16"},   {media::PixelFormat::Yuy2, "YUY2"},
      {media::PixelFormat::Bayer8, "BAYER8"},   {media::PixelFormat::Nv12, "NV12"},
      {media::PixelFormat::I420, "I420"},       {media::PixelFormat::P010, "P010"},
      {media::PixelFormat::Bayer10, "BAYER10"}, {media::PixelFormat::Bayer12, "BAYER12"},
      {media::PixelFormat::Bayer14, "BAYER14"}, {media::PixelFormat::Bayer16, "BAYER16"},
  };
};

}  // namespace gxr

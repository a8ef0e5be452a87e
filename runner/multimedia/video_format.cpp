#include "gxr/multimedia/video_format.hpp"

#include <array>
#include <limits>
#include <utility>

#include "gxr/error.hpp"

namespace gxr {
namespace {

constexpr std::uint64_t kStrideAlignment = 256;

/// How the planes behind the first relate to it.
enum class Chroma : std::uint8_t {
  Full,        ///< as large
  Halved,      ///< half as wide and high, own stride
  HalvedRows,  ///< the same, with half of the first plane's stride
};

struct PlaneFacts {
  const char* color_space;
  std::uint8_t bytes_per_pixel;
};

struct FormatFacts {
  const char* name;
  ElementType sample;
  Chroma chroma;
  std::array<PlaneFacts, 4> planes;  // unused ones have 0 bytes
};

constexpr ElementType kNoElement = ElementType::Custom;
constexpr ElementType kU8 = ElementType::UInt8;
constexpr ElementType kU16 = ElementType::UInt16;
constexpr ElementType kU32 = ElementType::UInt32;

constexpr FormatFacts yuv420(const char* name) {
  return {name, kNoElement, Chroma::HalvedRows, {{{"Y1", 1}, {"U1", 1}, {"V1", 1}}}};
}
constexpr FormatFacts semi_planar(const char* name, ElementType sample, Chroma chroma) {
  return {name, sample, chroma, {{{"Y1", 1}, {"UV2", 2}}}};
}
constexpr FormatFacts packed(const char* name, const char* order, ElementType sample,
                             std::uint8_t bytes) {
  return {name, sample, Chroma::Full, {{{order, bytes}}}};
}
constexpr FormatFacts planar(const char* name, ElementType sample, std::uint8_t bytes,
                             const char* first, const char* second, const char* third) {
  return {name, sample, Chroma::Full, {{{first, bytes}, {second, bytes}, {third, bytes}}}};
}
constexpr FormatFacts with_depth(const char* name, ElementType sample, std::uint8_t bytes) {
  return {name, sample, Chroma::Full, {{{"R", bytes}, {"G", bytes}, {"B", bytes}, {"D", bytes}}}};
}

/// In the order of the numbers.
constexpr std::array<FormatFacts, 47> kFormats = {{
    {"CUSTOM", kNoElement, Chroma::Full, {}},
    yuv420("YUV420"),
    yuv420("YUV420_ER"),
    yuv420("YUV420_709"),
    yuv420("YUV420_709_ER"),
    semi_planar("NV12", kU8, Chroma::Halved),
    semi_planar("NV12_ER", kNoElement, Chroma::Halved),
    semi_planar("NV12_709", kNoElement, Chroma::Halved),
    semi_planar("NV12_709_ER", kNoElement, Chroma::Halved),
    packed("RGBA", "RGBA", kU8, 4),
    packed("BGRA", "BGRA", kU8, 4),
    packed("ARGB", "ARGB", kU8, 4),
    packed("ABGR", "ABGR", kU8, 4),
    packed("RGBX", "RGBX", kU8, 4),
    packed("BGRX", "BGRX", kU8, 4),
    packed("XRGB", "XRGB", kU8, 4),
    packed("XBGR", "XBGR", kU8, 4),
    packed("RGB", "RGB", kU8, 3),
    packed("BGR", "BGR", kU8, 3),
    planar("R8_G8_B8", kU8, 1, "R", "G", "B"),
    planar("B8_G8_R8", kU8, 1, "B", "G", "R"),
    packed("GRAY", "gray", kU8, 1),
    packed("GRAY16", "gray", kU16, 2),
    packed("GRAY32", "gray", kU32, 4),
    packed("GRAY32F", "gray", ElementType::Float32, 4),
    packed("RGB16", "RGB", kU16, 6),
    packed("BGR16", "BGR", kU16, 6),
    packed("RGB32", "RGB", kU32, 12),
    packed("BGR32", "BGR", kU32, 12),
    planar("R16_G16_B16", kU16, 2, "R", "G", "B"),
    planar("B16_G16_R16", kU16, 2, "B", "G", "R"),
    planar("R32_G32_B32", kU32, 4, "R", "G", "B"),
    planar("B32_G32_R32", kU32, 4, "B", "G", "R"),
    semi_planar("NV24", kNoElement, Chroma::Full),
    semi_planar("NV24_ER", kNoElement, Chroma::Full),
    with_depth("R8_G8_B8_D8", kU8, 1),
    with_depth("R16_G16_B16_D16", kU16, 2),
    with_depth("R32_G32_B32_D32", kU32, 4),
    packed("RGBD8", "RGBD", kU8, 4),
    packed("RGBD16", "RGBD", kU16, 8),
    packed("RGBD32", "RGBD", kU32, 16),
    packed("D32F", "D", ElementType::Float32, 4),
    packed("D64F", "D", ElementType::Float64, 8),
    packed("RAW16_RGGB", "Raw_RGGB", kNoElement, 8),
    packed("RAW16_BGGR", "Raw_BGGR", kNoElement, 8),
    packed("RAW16_GRBG", "Raw_GRBG", kNoElement, 8),
    packed("RAW16_GBRG", "Raw_GBRG", kNoElement, 8),
}};

const FormatFacts* facts_of(VideoFormat format) noexcept {
  const auto number = static_cast<std::uint64_t>(format);
  return number < kFormats.size() ? &kFormats[number] : nullptr;
}

constexpr std::uint64_t round_up(std::uint64_t value, std::uint64_t step) {
  return (value + step - 1) / step * step;
}

std::string describe(VideoFormat format, std::uint32_t width, std::uint32_t height) {
  return "a " + std::to_string(width) + " x " + std::to_string(height) + " picture of format " +
         to_string(format);
}

void require_picture(VideoFormat format, std::uint32_t width, std::uint32_t height) {
  if (facts_of(format) == nullptr || format == VideoFormat::Custom) {
    throw Error(ErrorCode::InvalidArgument,
                describe(format, width, height) + " has no layout of its own; wrap its memory");
  }
  if (width == 0 || height == 0) {
    throw Error(ErrorCode::InvalidArgument, describe(format, width, height) + " is empty");
  }
}

void require_planes(VideoFormat format, const std::vector<ColorPlane>& planes) {
  const std::vector<ColorPlane> own = color_planes(format);
  bool same = planes.size() == own.size();
  for (std::size_t i = 0; same && i < own.size(); ++i) {
    same = planes[i].bytes_per_pixel == own[i].bytes_per_pixel;
  }
  if (!same) {
    throw Error(ErrorCode::InvalidArgument,
                std::string("the planes are not those of the format ") + to_string(format));
  }
}

std::uint64_t default_stride(const ColorPlane& plane, Chroma chroma, bool first, bool align,
                             std::uint64_t first_stride) {
  if (!first && chroma == Chroma::HalvedRows) {
    return first_stride / 2;
  }
  const std::uint64_t row = std::uint64_t{plane.width} * plane.bytes_per_pixel;
  return align ? round_up(row, kStrideAlignment) : row;
}

}  // namespace

const char* to_string(VideoFormat format) noexcept {
  const FormatFacts* facts = facts_of(format);
  return facts != nullptr ? facts->name : "unknown";
}

ElementType sample_type(VideoFormat format) noexcept {
  const FormatFacts* facts = facts_of(format);
  return facts != nullptr ? facts->sample : ElementType::Custom;
}

std::vector<ColorPlane> color_planes(VideoFormat format) {
  std::vector<ColorPlane> planes;
  if (const FormatFacts* facts = facts_of(format)) {
    for (const PlaneFacts& plane : facts->planes) {
      if (plane.bytes_per_pixel != 0) {
        planes.emplace_back();
        planes.back().color_space = plane.color_space;
        planes.back().bytes_per_pixel = plane.bytes_per_pixel;
      }
    }
  }
  return planes;
}

std::uint64_t VideoBufferInfo::size() const noexcept {
  std::uint64_t bytes = 0;
  for (const ColorPlane& plane : color_planes) {
    bytes += plane.size;
  }
  return bytes;
}

VideoBufferInfo video_layout(VideoFormat format, std::uint32_t width, std::uint32_t height,
                             bool align_strides, std::vector<ColorPlane> planes) {
  require_picture(format, width, height);
  if (planes.empty()) {
    planes = color_planes(format);
  }
  require_planes(format, planes);
  const Chroma chroma = facts_of(format)->chroma;
  constexpr std::uint64_t kMost = std::numeric_limits<std::uint32_t>::max();
  std::uint64_t offset = 0;
  for (ColorPlane& plane : planes) {
    const bool first = &plane == planes.data();
    const std::uint64_t divisor = first || chroma == Chroma::Full ? 1 : 2;
    const std::uint64_t columns = round_up(width, 2) / divisor;
    const std::uint64_t rows = round_up(height, 2) / divisor;
    if (columns * plane.bytes_per_pixel > kMost - kStrideAlignment || rows > kMost) {
      throw Error(ErrorCode::InvalidArgument,
                  describe(format, width, height) + " is too large: its rows have 4 GiB or more");
    }
    plane.width = static_cast<std::uint32_t>(columns);
    plane.height = static_cast<std::uint32_t>(rows);
    if (plane.stride == 0) {
      plane.stride = static_cast<std::uint32_t>(
          default_stride(plane, chroma, first, align_strides, planes.front().stride));
    }
    if (plane.stride < columns * plane.bytes_per_pixel) {
      throw Error(ErrorCode::InvalidArgument, "a stride of " + std::to_string(plane.stride) +
                                                  " bytes is shorter than a row of " +
                                                  std::to_string(columns * plane.bytes_per_pixel) +
                                                  " bytes");
    }
    plane.offset = static_cast<std::uint32_t>(offset);
    plane.size = std::uint64_t{plane.stride} * plane.height;
    offset += plane.size;
    if (offset > kMost) {
      throw Error(ErrorCode::InvalidArgument,
                  describe(format, width, height) + " is too large: it has 4 GiB or more");
    }
  }
  VideoBufferInfo info;
  info.width = width;
  info.height = height;
  info.format = format;
  info.color_planes = std::move(planes);
  return info;
}

}  // namespace gxr

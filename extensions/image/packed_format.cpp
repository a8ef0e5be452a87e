#include "image/packed_format.hpp"

#include <algorithm>
#include <cstddef>
#include <string>

#include "gxr/error.hpp"
#include "image/yuv_picture.hpp"

namespace gxr::image {
namespace {

constexpr ElementType kU8 = ElementType::UInt8;
constexpr ElementType kU16 = ElementType::UInt16;
constexpr std::array<int, 4> kInOrder{0, 1, 2, 3};
constexpr std::array<int, 4> kBlueFirst{2, 1, 0, 3};
constexpr std::array<int, 4> kOneBefore{1, 2, 3, 0};
constexpr std::array<int, 4> kBackwards{3, 2, 1, 0};

constexpr PackedFormat raw(VideoFormat format, kernels::BayerPattern pattern) {
  return {format, kU16, 1, 1, kInOrder, pattern};
}

/// Of formats that hold the same, the first is the one that is written.
constexpr std::array<PackedFormat, 19> kPackedFormats{{
    {VideoFormat::Rgb, kU8, 3, 3, kInOrder, {}},
    {VideoFormat::Bgr, kU8, 3, 3, kBlueFirst, {}},
    {VideoFormat::Rgba, kU8, 4, 4, kInOrder, {}},
    {VideoFormat::Bgra, kU8, 4, 4, kBlueFirst, {}},
    {VideoFormat::Argb, kU8, 4, 4, kOneBefore, {}},
    {VideoFormat::Abgr, kU8, 4, 4, kBackwards, {}},
    {VideoFormat::Rgbx, kU8, 4, 3, kInOrder, {}},
    {VideoFormat::Bgrx, kU8, 4, 3, kBlueFirst, {}},
    {VideoFormat::Xrgb, kU8, 4, 3, kOneBefore, {}},
    {VideoFormat::Xbgr, kU8, 4, 3, kBackwards, {}},
    {VideoFormat::Gray, kU8, 1, 1, kInOrder, {}},
    {VideoFormat::Gray16, kU16, 1, 1, kInOrder, {}},
    {VideoFormat::Gray32F, ElementType::Float32, 1, 1, kInOrder, {}},
    {VideoFormat::Rgb16, kU16, 3, 3, kInOrder, {}},
    {VideoFormat::Bgr16, kU16, 3, 3, kBlueFirst, {}},
    // GXF's layout has more bytes a pixel; the numbers of 16 bits are side by side all the same.
    raw(VideoFormat::Raw16Rggb, kernels::BayerPattern::kRggb),
    raw(VideoFormat::Raw16Bggr, kernels::BayerPattern::kBggr),
    raw(VideoFormat::Raw16Grbg, kernels::BayerPattern::kGrbg),
    raw(VideoFormat::Raw16Gbrg, kernels::BayerPattern::kGbrg),
}};

/// Do rows of `row_bytes` lie in the memory? The last one may end with its last pixel.
bool holds_rows(const VideoBuffer& buffer, std::uint64_t row_bytes) {
  const VideoBufferInfo& info = buffer.info();
  if (info.width == 0 || info.height == 0 || info.color_planes.size() != 1 ||
      buffer.pointer() == nullptr) {
    return false;
  }
  const ColorPlane& plane = info.color_planes[0];
  return plane.stride >= row_bytes &&
         plane.offset + std::uint64_t{plane.stride} * (info.height - 1) + row_bytes <=
             buffer.size();
}

[[noreturn]] void throw_wrong_format(const std::string& subject, const VideoBufferInfo& info) {
  const bool is_yuv = is_yuv_planes(info.format);
  throw Error(ErrorCode::WrongType,
              subject +
                  "wanted pixels side by side in one plane (RGB, RGBA, GRAY, GRAY16, …), "
                  "got " +
                  to_string(info.format) + " of " + std::to_string(info.color_planes.size()) +
                  (info.color_planes.size() == 1 ? " plane" : " planes") +
                  (is_yuv ? ": put a gxr::image::ColorConverter in between"
                          : ": ask its source for another format"));
}

}  // namespace

const PackedFormat* find_packed_format(VideoFormat format) noexcept {
  const auto* const found = std::ranges::find(kPackedFormats, format, &PackedFormat::format);
  return found == kPackedFormats.end() ? nullptr : found;
}

Tensor packed_pixels(const VideoBuffer& buffer, std::string_view name, std::string_view port) {
  const VideoBufferInfo& info = buffer.info();
  const std::string subject =
      "VideoBuffer '" + std::string(name) + "' on '" + std::string(port) + "': ";
  const PackedFormat* const format = find_packed_format(info.format);
  if (format == nullptr) {
    throw_wrong_format(subject, info);
  }
  if (info.surface_layout != SurfaceLayout::PitchLinear) {
    throw Error(ErrorCode::WrongType, subject + "wanted pixels in rows, got blocks");
  }
  const std::uint64_t sample = size_of(format->type);
  const std::uint64_t pixel = sample * static_cast<std::uint64_t>(format->samples);
  if (!holds_rows(buffer, pixel * info.width) || info.color_planes[0].stride % sample != 0 ||
      info.color_planes[0].offset % sample != 0) {
    throw Error(ErrorCode::InvalidData, subject + "its memory does not hold its " +
                                            std::to_string(info.width) + " x " +
                                            std::to_string(info.height) + " pixels in rows");
  }
  Tensor pixels;
  const Shape shape{static_cast<std::int32_t>(info.height), static_cast<std::int32_t>(info.width),
                    static_cast<std::int32_t>(format->samples)};
  const Strides strides{info.color_planes[0].stride, pixel, sample};
  // The tensor is only read.
  auto* const memory = static_cast<std::byte*>(const_cast<void*>(buffer.pointer()));
  pixels.wrap(memory + info.color_planes[0].offset, shape, format->type, buffer.storage_type(),
              nullptr, nullptr, 0, &strides);
  return pixels;
}

std::optional<VideoFormat> packed_format_for(ElementType type, std::int64_t channels) noexcept {
  const auto* const found = std::ranges::find_if(kPackedFormats, [&](const PackedFormat& format) {
    return format.type == type && format.channels == channels && format.is_in_order() &&
           !format.bayer;
  });
  return found == kPackedFormats.end() ? std::nullopt : std::optional(found->format);
}

PortDeclaration takes_pictures(PortDeclaration port) {
  port.or_part<VideoBuffer>();
  for (const PackedFormat& each : kPackedFormats) {
    port.formats({each.format});
  }
  return port;
}

}  // namespace gxr::image

#include "image/yuv_picture.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

namespace gxr::image {
namespace {

using kernels::LumaStandard;
using kernels::YuvCoding;
using kernels::YuvLayout;
using kernels::YuvRange;

/// Layout and coding of a VideoBuffer, by its format.
struct Planes {
  YuvLayout layout;
  YuvCoding coding;
};

std::optional<Planes> planes_of(VideoFormat format) {
  constexpr YuvCoding k601{LumaStandard::kBt601, YuvRange::kLimited};
  constexpr YuvCoding k601Full{LumaStandard::kBt601, YuvRange::kFull};
  constexpr YuvCoding k709{LumaStandard::kBt709, YuvRange::kLimited};
  constexpr YuvCoding k709Full{LumaStandard::kBt709, YuvRange::kFull};
  switch (format) {
    case VideoFormat::Yuv420:
      return Planes{YuvLayout::kPlanes, k601};
    case VideoFormat::Yuv420Er:
      return Planes{YuvLayout::kPlanes, k601Full};
    case VideoFormat::Yuv420Bt709:
      return Planes{YuvLayout::kPlanes, k709};
    case VideoFormat::Yuv420Bt709Er:
      return Planes{YuvLayout::kPlanes, k709Full};
    case VideoFormat::Nv12:
      return Planes{YuvLayout::kPairs, k601};
    case VideoFormat::Nv12Er:
      return Planes{YuvLayout::kPairs, k601Full};
    case VideoFormat::Nv12Bt709:
      return Planes{YuvLayout::kPairs, k709};
    case VideoFormat::Nv12Bt709Er:
      return Planes{YuvLayout::kPairs, k709Full};
    default:
      return std::nullopt;
  }
}

/// Do the planes hold the whole picture, in rows that a YuvView can name?
bool holds_picture(const VideoBufferInfo& info, YuvLayout layout) {
  const std::vector<ColorPlane>& planes = info.color_planes;
  const std::size_t count = layout == YuvLayout::kPlanes ? 3 : 2;
  if (info.width == 0 || info.height == 0 || planes.size() != count ||
      (count == 3 && planes[1].stride != planes[2].stride)) {
    return false;
  }
  for (std::size_t i = 0; i < count; ++i) {
    const std::uint64_t columns = i == 0 ? info.width : (std::uint64_t{info.width} + 1) / 2;
    const std::uint64_t rows = i == 0 ? info.height : (std::uint64_t{info.height} + 1) / 2;
    const std::uint64_t row_bytes = i == 1 && count == 2 ? 2 * columns : columns;
    if (planes[i].stride < row_bytes || planes[i].height < rows) {
      return false;
    }
  }
  return true;
}

}  // namespace

bool is_yuv_planes(VideoFormat format) noexcept { return planes_of(format).has_value(); }

VideoFormat video_format(YuvLayout layout, const YuvCoding& coding) {
  for (const VideoFormat format :
       {VideoFormat::Yuv420, VideoFormat::Yuv420Er, VideoFormat::Yuv420Bt709,
        VideoFormat::Yuv420Bt709Er, VideoFormat::Nv12, VideoFormat::Nv12Er, VideoFormat::Nv12Bt709,
        VideoFormat::Nv12Bt709Er}) {
    const Planes planes = *planes_of(format);
    if (planes.layout == layout && planes.coding.standard == coding.standard &&
        planes.coding.range == coding.range) {
      return format;
    }
  }
  throw Error(
      ErrorCode::NotSupported,
      "'matrix' bt2020: no format of a VideoBuffer says so, and whoever reads it would take "
      "it for another; write YUY2, or set bt709");
}

YuvCoding usual_coding(std::int64_t height) {
  constexpr std::int64_t kRowsOfBt601 = 576;
  return {height <= kRowsOfBt601 ? LumaStandard::kBt601 : LumaStandard::kBt709, YuvRange::kLimited};
}

YuvPicture read_planes(const VideoBuffer& buffer, std::string_view name, std::string_view port) {
  const VideoBufferInfo& info = buffer.info();
  const std::optional<Planes> planes = planes_of(info.format);
  const std::string subject =
      "VideoBuffer '" + std::string(name) + "' on '" + std::string(port) + "': ";
  if (!planes || info.surface_layout != SurfaceLayout::PitchLinear) {
    throw Error(ErrorCode::WrongType,
                subject + "wanted NV12 or YUV420 in rows, or one plane (RGB, RGBA, GRAY, …), got " +
                    to_string(info.format));
  }
  if (buffer.storage_type() == MemoryStorageType::Device) {
    throw Error(ErrorCode::NotSupported,
                subject + "it is in the memory of a GPU; copy it to the host first");
  }
  if (buffer.pointer() == nullptr || !holds_picture(info, planes->layout)) {
    throw Error(ErrorCode::InvalidData, subject + "its planes do not hold its " +
                                            std::to_string(info.width) + " x " +
                                            std::to_string(info.height) + " pixels");
  }
  return {planes_view<const std::uint8_t>(buffer, planes->layout), planes->coding};
}

}  // namespace gxr::image

#include "media/gstreamer/lent_picture.hpp"

#include <string>
#include <utility>
#include <vector>

#include "gxr/error.hpp"

namespace gxr::media {
namespace {

VideoFormat nv12_of(bool full_range, bool bt709) {
  return bt709 ? (full_range ? VideoFormat::Nv12Bt709Er : VideoFormat::Nv12Bt709)
               : (full_range ? VideoFormat::Nv12Er : VideoFormat::Nv12);
}

VideoFormat yuv420_of(bool full_range, bool bt709) {
  return bt709 ? (full_range ? VideoFormat::Yuv420Bt709Er : VideoFormat::Yuv420Bt709)
               : (full_range ? VideoFormat::Yuv420Er : VideoFormat::Yuv420);
}

VideoFormat video_format_of(const GstVideoInfo& info, PixelFormat format) {
  const bool full_range = info.colorimetry.range == GST_VIDEO_COLOR_RANGE_0_255;
  const bool bt709 = info.colorimetry.matrix == GST_VIDEO_COLOR_MATRIX_BT709;
  switch (format) {
    case PixelFormat::Nv12:
      return nv12_of(full_range, bt709);
    case PixelFormat::I420:
      return yuv420_of(full_range, bt709);
    default:
      return VideoFormat::Custom;
  }
}

ColorPlane plane_of(const GstVideoFrame& frame, guint number) {
  static constexpr const char* kNames[] = {"Y", "U", "V"};
  const bool is_chroma_pair = number == 1 && GST_VIDEO_FRAME_N_PLANES(&frame) == 2;
  const auto component = static_cast<gint>(number);
  const auto* const first = static_cast<const std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0));
  const auto* const own = static_cast<const std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, number));
  ColorPlane plane;
  plane.color_space = is_chroma_pair ? "UV" : kNames[number];
  plane.bytes_per_pixel =
      static_cast<std::uint8_t>(GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, component));
  plane.stride = static_cast<std::uint32_t>(GST_VIDEO_FRAME_PLANE_STRIDE(&frame, number));
  plane.offset = static_cast<std::uint32_t>(own - first);
  plane.width = static_cast<std::uint32_t>(GST_VIDEO_FRAME_COMP_WIDTH(&frame, component));
  plane.height = static_cast<std::uint32_t>(GST_VIDEO_FRAME_COMP_HEIGHT(&frame, component));
  plane.size = std::uint64_t{plane.stride} * plane.height;
  return plane;
}

}  // namespace

LentPicture::LentPicture(GstBuffer* buffer, const GstVideoInfo& info, std::shared_ptr<Lent> lent)
    : buffer_(buffer), lent_(std::move(lent)) {
  constexpr int kFlags = int{GST_MAP_READ} | int{GST_VIDEO_FRAME_MAP_FLAG_NO_REF};
  if (gst_video_frame_map(&frame_, &info, buffer, static_cast<GstMapFlags>(kFlags)) == FALSE) {
    gst_buffer_unref(buffer_);
    throw Error(ErrorCode::InvalidData, "the memory of a picture cannot be read by the CPU");
  }
  lent_->fetch_add(1, std::memory_order_relaxed);
}

LentPicture::~LentPicture() {
  gst_video_frame_unmap(&frame_);
  gst_buffer_unref(buffer_);
  lent_->fetch_sub(1, std::memory_order_relaxed);
}

Tensor tensor_of(std::unique_ptr<LentPicture> lent, PixelFormat format) {
  const GstVideoFrame& frame = lent->frame();
  const FormatFacts& facts = facts_of(format);
  const std::uint64_t sample = size_of(facts.type);
  const Strides strides{static_cast<std::uint64_t>(GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0)),
                        sample * static_cast<std::uint64_t>(facts.samples), sample};
  const Shape shape{GST_VIDEO_FRAME_HEIGHT(&frame), GST_VIDEO_FRAME_WIDTH(&frame), facts.samples};
  Tensor tensor;
  tensor.wrap(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0), shape, facts.type, MemoryStorageType::System,
              lent.get(), &LentPicture::release, 0, &strides);
  static_cast<void>(lent.release());
  return tensor;
}

VideoBuffer video_buffer_of(std::unique_ptr<LentPicture> lent, PixelFormat format) {
  const GstVideoFrame& frame = lent->frame();
  VideoBufferInfo info;
  info.width = static_cast<std::uint32_t>(GST_VIDEO_FRAME_WIDTH(&frame));
  info.height = static_cast<std::uint32_t>(GST_VIDEO_FRAME_HEIGHT(&frame));
  info.format = video_format_of(frame.info, format);
  for (guint number = 0; number < GST_VIDEO_FRAME_N_PLANES(&frame); ++number) {
    info.color_planes.push_back(plane_of(frame, number));
  }
  const ColorPlane& last = info.color_planes.back();
  VideoBuffer buffer;
  buffer.wrap(info, last.offset + last.size, MemoryStorageType::System,
              GST_VIDEO_FRAME_PLANE_DATA(&frame, 0), lent.get(), &LentPicture::release);
  static_cast<void>(lent.release());
  return buffer;
}

}  // namespace gxr::media

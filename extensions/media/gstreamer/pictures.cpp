#include "media/gstreamer/pictures.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <utility>

#include "gxr/error.hpp"
#include "media/gstreamer/pipeline.hpp"

namespace gxr::media {
namespace {

constexpr double kBitsOfPixel = 0.1;

void copy_plane(const PictureMemory& picture, GstVideoFrame& frame, guint plane) {
  const auto component = static_cast<gint>(plane);
  const std::byte* from = picture.data + picture.offsets[plane];
  auto* to = static_cast<std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, plane));
  const auto row = static_cast<std::size_t>(GST_VIDEO_FRAME_COMP_WIDTH(&frame, component) *
                                            GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, component));
  for (gint y = 0; y < GST_VIDEO_FRAME_COMP_HEIGHT(&frame, component); ++y) {
    std::memcpy(to, from, row);
    from += picture.strides[plane];
    to += GST_VIDEO_FRAME_PLANE_STRIDE(&frame, plane);
  }
}

GstBuffer* copy(const GstVideoInfo& info, const PictureMemory& picture) {
  GstBuffer* const buffer = gst_buffer_new_allocate(nullptr, info.size, nullptr);
  GstVideoFrame frame;
  if (buffer == nullptr || gst_video_frame_map(&frame, &info, buffer, GST_MAP_WRITE) == FALSE) {
    throw Error(ErrorCode::OutOfMemory, "there is no memory for a picture");
  }
  for (guint plane = 0; plane < GST_VIDEO_FRAME_N_PLANES(&frame); ++plane) {
    copy_plane(picture, frame, plane);
  }
  gst_video_frame_unmap(&frame);
  return buffer;
}

/// Do its rows lie as GStreamer has them?
bool has_usual_layout(const GstVideoInfo& info, const PictureMemory& picture) {
  bool same = picture.bytes >= info.size;
  for (guint plane = 0; plane < GST_VIDEO_INFO_N_PLANES(&info); ++plane) {
    same = same && picture.offsets[plane] == GST_VIDEO_INFO_PLANE_OFFSET(&info, plane) &&
           picture.strides[plane] ==
               static_cast<std::uint64_t>(GST_VIDEO_INFO_PLANE_STRIDE(&info, plane));
  }
  return same;
}

/// That with which a picture lies in memory.
GstVideoFormat memory_format_of(PixelFormat format) {
  return !is_mosaic(format) ? gst_video_format_from_string(facts_of(format).in_caps)
         : facts_of(format).type == ElementType::UInt8 ? GST_VIDEO_FORMAT_GRAY8
                                                       : GST_VIDEO_FORMAT_GRAY16_LE;
}

}  // namespace

GstVideoInfo video_info_of(const PictureFormat& format) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, memory_format_of(format.pixels),
                            static_cast<guint>(format.width), static_cast<guint>(format.height));
  if (format.pixels == PixelFormat::Nv12 || format.pixels == PixelFormat::I420) {
    info.colorimetry.range =
        format.is_full_range ? GST_VIDEO_COLOR_RANGE_0_255 : GST_VIDEO_COLOR_RANGE_16_235;
    info.colorimetry.matrix =
        format.is_bt709 ? GST_VIDEO_COLOR_MATRIX_BT709 : GST_VIDEO_COLOR_MATRIX_BT601;
  }
  gst_util_double_to_fraction(format.frame_rate, &info.fps_n, &info.fps_d);
  return info;
}

Owned<GstCaps> caps_of(const PictureFormat& format, const GstVideoInfo& info) {
  if (!is_mosaic(format.pixels)) {
    return Owned<GstCaps>(gst_video_info_to_caps(&info));
  }
  const std::string_view formats = facts_of(format.pixels).in_caps;
  const std::string_view depth = formats.substr(0, formats.find(',')).substr(sizeof "{rggb" - 1);
  const std::string name = format.bayer + std::string(depth);
  return Owned<GstCaps>(gst_caps_new_simple("video/x-bayer", "format", G_TYPE_STRING, name.c_str(),
                                            "width", G_TYPE_INT, format.width, "height", G_TYPE_INT,
                                            format.height, "framerate", GST_TYPE_FRACTION,
                                            info.fps_n, info.fps_d, nullptr));
}

GstBuffer* wrap(const std::byte* data, std::uint64_t bytes, std::shared_ptr<const void> owner) {
  auto* const kept = new std::shared_ptr<const void>(std::move(owner));
  return gst_buffer_new_wrapped_full(
      GST_MEMORY_FLAG_READONLY, const_cast<std::byte*>(data), bytes, 0, bytes, kept,
      [](gpointer memory) { delete static_cast<std::shared_ptr<const void>*>(memory); });
}

GstBuffer* buffer_of(const GstVideoInfo& info, const PictureMemory& picture,
                     std::shared_ptr<const void> owner) {
  return has_usual_layout(info, picture) ? wrap(picture.data, picture.bytes, std::move(owner))
                                         : copy(info, picture);
}

void set_sound_bitrate(GstElement* pipeline, const RecordingOptions& options) {
  const Owned<GstElement> encoder = find_element(pipeline, "gxr_encoder");
  if (encoder != nullptr && !options.bitrate_property.empty() && options.bitrate > 0) {
    gst_util_set_object_arg(G_OBJECT(encoder.get()), options.bitrate_property.c_str(),
                            std::to_string(options.bitrate / options.bitrate_unit).c_str());
  }
}

void set_bitrate(GstElement* pipeline, const RecordingOptions& options,
                 const PictureFormat& format) {
  const Owned<GstElement> encoder = find_element(pipeline, "gxr_encoder");
  if (encoder == nullptr || options.bitrate_property.empty()) {
    return;
  }
  const double pixels = static_cast<double>(format.width) * format.height * format.frame_rate;
  const double bits =
      options.bitrate > 0 ? static_cast<double>(options.bitrate) : pixels * kBitsOfPixel;
  const auto value = std::llround(bits / static_cast<double>(options.bitrate_unit));
  gst_util_set_object_arg(G_OBJECT(encoder.get()), options.bitrate_property.c_str(),
                          std::to_string(std::max(value, 1LL)).c_str());
}

}  // namespace gxr::media

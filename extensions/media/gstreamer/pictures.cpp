#include "media/gstreamer/pictures.hpp"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <string>
#include <utility>

#include "gxr/error.hpp"
#include "media/gstreamer/pipeline.hpp"

namespace gxr::media {
namespace {

constexpr double kBitsOfPixel = 0.1;

GstBuffer* wrap(const Tensor& tensor, std::shared_ptr<const void> owner) {
  auto* const kept = new std::shared_ptr<const void>(std::move(owner));
  return gst_buffer_new_wrapped_full(
      GST_MEMORY_FLAG_READONLY, const_cast<void*>(tensor.pointer()), tensor.span_bytes(), 0,
      tensor.span_bytes(), kept,
      [](gpointer data) { delete static_cast<std::shared_ptr<const void>*>(data); });
}

GstBuffer* copy(const GstVideoInfo& info, const Tensor& tensor) {
  GstBuffer* const buffer = gst_buffer_new_allocate(nullptr, info.size, nullptr);
  GstVideoFrame frame;
  if (buffer == nullptr || gst_video_frame_map(&frame, &info, buffer, GST_MAP_WRITE) == FALSE) {
    throw Error(ErrorCode::OutOfMemory, "there is no memory for a picture");
  }
  const auto* from = static_cast<const std::byte*>(tensor.pointer());
  auto* to = static_cast<std::byte*>(GST_VIDEO_FRAME_PLANE_DATA(&frame, 0));
  const auto row = static_cast<std::size_t>(GST_VIDEO_FRAME_WIDTH(&frame) *
                                            GST_VIDEO_FRAME_COMP_PSTRIDE(&frame, 0));
  for (gint y = 0; y < GST_VIDEO_FRAME_HEIGHT(&frame); ++y) {
    std::memcpy(to, from, row);
    from += tensor.stride(0);
    to += GST_VIDEO_FRAME_PLANE_STRIDE(&frame, 0);
  }
  gst_video_frame_unmap(&frame);
  return buffer;
}

}  // namespace

GstVideoInfo video_info_of(const PictureFormat& format) {
  GstVideoInfo info;
  gst_video_info_set_format(&info, gst_video_format_from_string(name_of(format.pixels)),
                            static_cast<guint>(format.width), static_cast<guint>(format.height));
  gst_util_double_to_fraction(format.frame_rate, &info.fps_n, &info.fps_d);
  return info;
}

GstBuffer* buffer_of(const GstVideoInfo& info, const Tensor& tensor,
                     std::shared_ptr<const void> owner) {
  const auto own_stride = static_cast<std::uint64_t>(GST_VIDEO_INFO_PLANE_STRIDE(&info, 0));
  const bool same = tensor.stride(0) == own_stride && tensor.span_bytes() >= info.size;
  return same ? wrap(tensor, std::move(owner)) : copy(info, tensor);
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

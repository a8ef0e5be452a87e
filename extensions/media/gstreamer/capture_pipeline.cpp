#include "media/gstreamer/capture_pipeline.hpp"

#include <chrono>
#include <cstddef>
#include <string>
#include <string_view>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"
#include "media/gstreamer/network.hpp"

namespace gxr::media {
namespace {

using std::chrono::nanoseconds;

// From 0 to 255 whatever the source; of small YUV pictures, GStreamer copies 16 to 235.
constexpr const char* kGreyByRgb =
    "capsfilter caps=\"video/x-raw,format={RGB,GRAY8}\" ! videoconvert ! ";

constexpr const char* kSoundConverter = "audioconvert name=gxr_convert ! audioresample ! ";

std::string picture_converter(PixelFormat format) {
  return std::string(is_mosaic(format) ? "identity" : "videoconvert") + " name=gxr_convert ! " +
         (format == PixelFormat::Gray8 ? kGreyByRgb : "");
}

std::string picture_caps(PixelFormat format) {
  return std::string(is_mosaic(format) ? "video/x-bayer" : "video/x-raw") +
         ",format=" + facts_of(format).in_caps;
}

std::string sound_caps(const SoundForm& form) {
  return std::string("audio/x-raw,layout=interleaved,format=") +
         (form.format == AudioFormat::S16Le   ? "S16LE"
          : form.format == AudioFormat::F32Le ? "F32LE"
                                              : "{S16LE,F32LE}") +
         (form.rate == 0 ? "" : ",rate=" + std::to_string(form.rate)) +
         (form.channels == 0 ? "" : ",channels=" + std::to_string(form.channels));
}

std::string seconds_text(nanoseconds time) {
  return general_text(std::chrono::duration<double>(time).count()) + " s";
}

bool can_seek(GstElement* pipeline) {
  GstQuery* const query = gst_query_new_seeking(GST_FORMAT_TIME);
  gboolean can = FALSE;
  if (gst_element_query(pipeline, query) != FALSE) {
    gst_query_parse_seeking(query, nullptr, &can, nullptr, nullptr);
  }
  gst_query_unref(query);
  return can != FALSE;
}

void require_inside(const char* key, nanoseconds time, nanoseconds length) {
  if (time > length) {
    throw Error(ErrorCode::OutOfRange, "'" + std::string(key) + "' is " + seconds_text(time) +
                                           ", but the source ends after " + seconds_text(length));
  }
}

}  // namespace

CapturePipeline make_capture_pipeline(const CaptureOptions& options) {
  CapturePipeline made;
  const bool is_sound = options.medium == Medium::Audio;
  made.pipeline = parse_pipeline(options.pipeline + " ! " +
                                 (is_sound ? kSoundConverter : picture_converter(options.format)) +
                                 "appsink name=gxr_sink");
  made.sink = find_element(made.pipeline.get(), "gxr_sink");
  const std::string text = is_sound ? sound_caps(options.sound) : picture_caps(options.format);
  const Owned<GstCaps> caps(gst_caps_from_string(text.c_str()));
  g_object_set(made.sink.get(), "caps", caps.get(), "sync", options.realtime ? TRUE : FALSE,
               "enable-last-sample", FALSE, "max-buffers", 1U, nullptr);
  set_network(made.pipeline.get(), options.network);
  return made;
}

bool read_caps(GstCaps* caps, GstVideoInfo& info, std::string& bayer) {
  const GstStructure* const facts = caps == nullptr ? nullptr : gst_caps_get_structure(caps, 0);
  if (facts == nullptr || gst_structure_has_name(facts, "video/x-bayer") == FALSE) {
    return caps != nullptr && gst_video_info_from_caps(&info, caps) != FALSE;
  }
  gint width = 0;
  gint height = 0;
  const gchar* const pattern = gst_structure_get_string(facts, "format");
  if (pattern == nullptr || gst_structure_get_int(facts, "width", &width) == FALSE ||
      gst_structure_get_int(facts, "height", &height) == FALSE) {
    return false;
  }
  constexpr std::size_t kColours = 4;  // "rggb", in front of "10le"
  const std::string_view name = pattern;
  bayer = name.substr(0, kColours);
  return gst_video_info_set_format(
             &info, name.size() > kColours ? GST_VIDEO_FORMAT_GRAY16_LE : GST_VIDEO_FORMAT_GRAY8,
             static_cast<guint>(width), static_cast<guint>(height)) != FALSE;
}

bool wants_part(const CaptureOptions& options) {
  return options.begin.count() > 0 || options.end.count() > 0;
}

void seek_to_part(GstElement* pipeline, const CaptureOptions& options) {
  gint64 length = 0;
  if (gst_element_query_duration(pipeline, GST_FORMAT_TIME, &length) != FALSE && length > 0) {
    require_inside("start", options.begin + nanoseconds(1), nanoseconds(length));
    require_inside("stop", options.end, nanoseconds(length));
  }
  const auto flags = static_cast<GstSeekFlags>(GST_SEEK_FLAG_FLUSH | GST_SEEK_FLAG_ACCURATE);
  const bool has_end = options.end.count() > 0;
  if (!can_seek(pipeline) ||
      gst_element_seek(pipeline, 1.0, GST_FORMAT_TIME, flags, GST_SEEK_TYPE_SET,
                       options.begin.count(), has_end ? GST_SEEK_TYPE_SET : GST_SEEK_TYPE_NONE,
                       has_end ? options.end.count() : -1) == FALSE) {
    throw Error(ErrorCode::NotSupported,
                "the source cannot be begun at another place; leave out 'start', 'stop' and "
                "'repeat'");
  }
}

}  // namespace gxr::media

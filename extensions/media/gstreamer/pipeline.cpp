#include "media/gstreamer/pipeline.hpp"

#include <string_view>

#include "gxr/error.hpp"

namespace gxr::media {
namespace {

/// Without the place in GStreamer's sources, which stands in front of a line break.
std::string detail_of(const gchar* debug) {
  std::string_view text = debug == nullptr ? std::string_view{} : debug;
  const std::size_t line_break = text.find('\n');
  if (line_break == std::string_view::npos) {
    return {};
  }
  std::string detail(text.substr(line_break + 1));
  for (char& c : detail) {
    c = c == '\n' ? ' ' : c;
  }
  return detail.empty() ? detail : " (" + detail + ")";
}

}  // namespace

Owned<GstElement> parse_pipeline(const std::string& text) {
  GError* error = nullptr;
  GstElement* const parsed =
      gst_parse_launch_full(text.c_str(), nullptr, GST_PARSE_FLAG_FATAL_ERRORS, &error);
  if (error != nullptr) {
    const std::string reason = error->message;
    g_error_free(error);
    throw Error(ErrorCode::InvalidParameter,
                "GStreamer cannot make the pipeline '" + text + "': " + reason);
  }
  Owned<GstElement> pipeline(GST_ELEMENT(gst_object_ref_sink(parsed)));
  if (!GST_IS_PIPELINE(pipeline.get())) {
    throw Error(ErrorCode::InvalidParameter, "'" + text + "' is no pipeline of elements");
  }
  return pipeline;
}

Owned<GstElement> find_element(GstElement* pipeline, const char* name) {
  return Owned<GstElement>(gst_bin_get_by_name(GST_BIN(pipeline), name));
}

std::string text_of(GstMessage* message) {
  GError* error = nullptr;
  gchar* debug = nullptr;
  if (GST_MESSAGE_TYPE(message) == GST_MESSAGE_WARNING) {
    gst_message_parse_warning(message, &error, &debug);
  } else {
    gst_message_parse_error(message, &error, &debug);
  }
  std::string text = std::string(GST_OBJECT_NAME(GST_MESSAGE_SRC(message))) + ": " +
                     error->message + detail_of(debug);
  g_error_free(error);
  g_free(debug);
  return text;
}

Failing failing_of(GstMessage* message) {
  GError* error = nullptr;
  gst_message_parse_error(message, &error, nullptr);
  const bool for_good =
      g_error_matches(error, GST_RESOURCE_ERROR, GST_RESOURCE_ERROR_NOT_AUTHORIZED) != FALSE ||
      g_error_matches(error, GST_CORE_ERROR, GST_CORE_ERROR_MISSING_PLUGIN) != FALSE ||
      g_error_matches(error, GST_STREAM_ERROR, GST_STREAM_ERROR_CODEC_NOT_FOUND) != FALSE;
  g_error_free(error);
  return for_good ? Failing::ForGood : Failing::ForNow;
}

}  // namespace gxr::media

#include "media/gstreamer/bus_watch.hpp"

#include <string_view>
#include <utility>

namespace gxr::media {
namespace {

constexpr auto kWatched = static_cast<GstMessageType>(
    GST_MESSAGE_EOS | GST_MESSAGE_ERROR | GST_MESSAGE_WARNING | GST_MESSAGE_ELEMENT |
    GST_MESSAGE_APPLICATION | GST_MESSAGE_ASYNC_DONE);

/// The plug-in that an element misses, "H.264 (Main Profile) decoder"; empty: the message is
/// another.
std::string missing_in(GstMessage* message) {
  const GstStructure* const structure = gst_message_get_structure(message);
  if (structure == nullptr || gst_structure_has_name(structure, "missing-plugin") == FALSE) {
    return {};
  }
  const gchar* const name = gst_structure_get_string(structure, "name");
  return name == nullptr ? "an element" : name;
}

}  // namespace

BusWatch::BusWatch(GstElement* pipeline, Calls calls)
    : bus_(gst_element_get_bus(pipeline)), calls_(std::move(calls)), thread_([this] { run(); }) {}

BusWatch::~BusWatch() {
  gst_bus_set_flushing(bus_.get(), FALSE);  // else it would take no message
  gst_bus_post(bus_.get(),
               gst_message_new_application(nullptr, gst_structure_new_empty("gxr-end")));
  thread_.join();
}

void BusWatch::run() {
  for (bool more = true; more;) {
    GstMessage* const message =
        gst_bus_timed_pop_filtered(bus_.get(), GST_CLOCK_TIME_NONE, kWatched);
    if (message == nullptr) {
      continue;
    }
    more = GST_MESSAGE_TYPE(message) != GST_MESSAGE_APPLICATION ||
           gst_message_has_name(message, "gxr-end") == FALSE;
    handle(message);
    gst_message_unref(message);
  }
}

void BusWatch::handle(GstMessage* message) {
  switch (GST_MESSAGE_TYPE(message)) {
    case GST_MESSAGE_EOS:
      return calls_.on_end();
    case GST_MESSAGE_ASYNC_DONE:
      return calls_.on_prerolled();
    case GST_MESSAGE_ERROR:
      return calls_.on_error(
          text_of(message) + (missing_.empty() ? "" : " (a plug-in is missing: " + missing_ + ")"),
          failing_of(message));
    case GST_MESSAGE_WARNING:
      return calls_.on_warning(text_of(message));
    case GST_MESSAGE_ELEMENT: {
      const std::string missing = missing_in(message);
      missing_ += (missing_.empty() || missing.empty() ? "" : ", ") + missing;
      return;
    }
    default:
      return;
  }
}

}  // namespace gxr::media

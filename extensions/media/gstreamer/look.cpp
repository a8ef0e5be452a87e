#include "media/gstreamer/look.hpp"

#include <gst/app/gstappsink.h>
#include <gst/video/video.h>

#include "gxr/error.hpp"
#include "media/gstreamer/capture_pipeline.hpp"

namespace gxr::media {
namespace {

/// A pipeline that is stopped when this goes.
class Stopped {
 public:
  explicit Stopped(GstElement* pipeline) : pipeline_(pipeline) {}
  Stopped(const Stopped&) = delete;
  Stopped& operator=(const Stopped&) = delete;
  ~Stopped() { gst_element_set_state(pipeline_, GST_STATE_NULL); }

 private:
  GstElement* pipeline_;
};

PictureFormat format_in(GstSample* sample, PixelFormat pixels) {
  GstVideoInfo info;
  std::string bayer;
  const bool known = read_caps(gst_sample_get_caps(sample), info, bayer);
  gst_sample_unref(sample);
  if (!known) {
    throw Error(ErrorCode::NotAvailable, "the source does not tell the size of its pictures");
  }
  PictureFormat format{pixels, GST_VIDEO_INFO_WIDTH(&info), GST_VIDEO_INFO_HEIGHT(&info)};
  format.bayer = bayer;
  return format;
}

}  // namespace

PictureFormat look_at(const CaptureOptions& options, std::chrono::nanoseconds limit) {
  const CapturePipeline made = make_capture_pipeline(options);
  const Stopped stopped(made.pipeline.get());
  gst_element_set_state(made.pipeline.get(), GST_STATE_PAUSED);
  const Owned<GstBus> bus(gst_element_get_bus(made.pipeline.get()));
  constexpr auto kEnds =
      static_cast<GstMessageType>(GST_MESSAGE_ASYNC_DONE | GST_MESSAGE_ERROR | GST_MESSAGE_EOS);
  GstMessage* const message =
      gst_bus_timed_pop_filtered(bus.get(), static_cast<GstClockTime>(limit.count()), kEnds);
  const bool is_there = message != nullptr && GST_MESSAGE_TYPE(message) == GST_MESSAGE_ASYNC_DONE;
  if (message != nullptr) {
    gst_message_unref(message);
  }
  GstSample* const sample =
      is_there ? gst_app_sink_try_pull_preroll(GST_APP_SINK(made.sink.get()), 0) : nullptr;
  if (sample == nullptr) {
    throw Error(ErrorCode::NotAvailable, "the source has no picture before it runs");
  }
  return format_in(sample, options.format);
}

}  // namespace gxr::media

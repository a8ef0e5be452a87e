// Entry of media_gstreamer.so.

#include <string>

#include <gst/gst.h>

#include "gxr/error.hpp"
#include "media/gstreamer.hpp"
#include "media/gstreamer/capture.hpp"
#include "media/gstreamer/look.hpp"
#include "media/gstreamer/recording.hpp"
#ifdef GXR_HAS_RTSP_SERVER
#include "media/gstreamer/serving.hpp"
#endif

namespace gxr::media {
namespace {

class Library final : public Gstreamer {
 public:
  Library() {
    GError* error = nullptr;
    if (gst_init_check(nullptr, nullptr, &error) == FALSE) {
      const std::string reason = error == nullptr ? "unknown reason" : error->message;
      g_clear_error(&error);
      throw Error(ErrorCode::NotSupported, "GStreamer does not start: " + reason);
    }
  }

  [[nodiscard]] bool has(const std::string& element) const override {
    GstElementFactory* const factory = gst_element_factory_find(element.c_str());
    if (factory == nullptr) {
      return false;
    }
    gst_object_unref(factory);
    return true;
  }
  std::unique_ptr<Capture> make_capture(const CaptureOptions& options,
                                        CaptureListener& listener) override {
    return media::make_capture(options, listener);
  }
  PictureFormat look_at(const CaptureOptions& options, std::chrono::nanoseconds limit) override {
    return media::look_at(options, limit);
  }
  std::unique_ptr<Recording> make_recording(const RecordingOptions& options,
                                            RecordingListener& listener) override {
    return media::make_recording(options, listener);
  }
  std::unique_ptr<Serving> make_serving([[maybe_unused]] const ServingOptions& options,
                                        [[maybe_unused]] RecordingListener& listener) override {
#ifdef GXR_HAS_RTSP_SERVER
    return media::make_serving(options, listener);
#else
    throw Error(ErrorCode::NotSupported,
                "this build of gxr cannot serve RTSP: install libgstrtspserver-1.0-dev, and build "
                "gxr again");
#endif
  }
};

}  // namespace
}  // namespace gxr::media

extern "C" __attribute__((visibility("default"))) gxr::media::Gstreamer* gxr_media_gstreamer() {
  static gxr::media::Library library;
  return &library;
}

#include "media/gstreamer/recording.hpp"

#include <condition_variable>
#include <mutex>
#include <utility>

#include <gst/app/gstappsrc.h>
#include <gst/gst.h>
#include <gst/video/video.h>

#include "media/gstreamer/bus_watch.hpp"
#include "media/gstreamer/lent_sound.hpp"
#include "media/gstreamer/network.hpp"
#include "media/gstreamer/pictures.hpp"
#include "media/gstreamer/pipeline.hpp"

namespace gxr::media {
namespace {

constexpr guint64 kMostBuffers = 4;              // pictures between the application and the encoder
constexpr std::chrono::seconds kReasonLimit{1};  // for the message that says why

// Of mp4 files: the common rates of pictures divide it. By itself, mp4mux takes one from the rate.
constexpr guint kTicksPerSecond = 90000;

gboolean set_time_base(GstElement* /*muxer*/, GstPad* pad, gpointer /*unused*/) {
  constexpr const char* kProperty = "trak-timescale";
  if (g_object_class_find_property(G_OBJECT_GET_CLASS(pad), kProperty) != nullptr) {
    g_object_set(pad, kProperty, kTicksPerSecond, nullptr);
  }
  return TRUE;
}

class PipelineRecording final : public Recording {
 public:
  PipelineRecording(const RecordingOptions& options, RecordingListener& listener);
  ~PipelineRecording() override { stop(); }

  void open() override;
  void start(const PictureFormat& format) override;
  void push(const PictureMemory& picture, std::shared_ptr<const void> owner,
            std::int64_t time) override;
  void start_sound(const AudioBufferInfo& info) override;
  void push_sound(const std::byte* data, std::uint64_t bytes, std::shared_ptr<const void> owner,
                  std::int64_t time) override;
  bool finish(std::chrono::nanoseconds limit) override;
  void stop() noexcept override;

 private:
  static void on_need(GstAppSrc* source, guint length, gpointer self);

  [[nodiscard]] GstAppSrc* source() const { return GST_APP_SRC(source_.get()); }
  void push(GstBuffer* buffer, std::int64_t time, GstClockTime duration);
  void end(bool failed);
  bool wait_for_end(std::chrono::nanoseconds limit);

  RecordingOptions options_;
  RecordingListener& listener_;
  Owned<GstElement> pipeline_;
  Owned<GstElement> source_;
  GstVideoInfo info_{};
  GstClockTime duration_ = 0;  // of a picture
  AudioBufferInfo sound_{};
  std::mutex level_mutex_;  // one at a time tells the listener of the level
  std::mutex mutex_;
  std::condition_variable ended_changed_;
  bool ended_ = false;  // guarded by mutex_
  bool failed_ = false;
  std::unique_ptr<BusWatch> watch_;
};

PipelineRecording::PipelineRecording(const RecordingOptions& options, RecordingListener& listener)
    : options_(options), listener_(listener) {
  pipeline_ = parse_pipeline(std::string("appsrc name=gxr_source ! ") +
                             (options.medium == Medium::Audio ? "audioconvert ! audioresample ! "
                              : options.has_mosaics           ? ""
                                                              : "videoconvert ! ") +
                             options.pipeline);
  set_network(pipeline_.get(), options_.network);
  source_ = find_element(pipeline_.get(), "gxr_source");
  g_object_set(source_.get(), "format", GST_FORMAT_TIME, "block", FALSE, "max-bytes", guint64{0},
               "max-time", guint64{0}, "max-buffers", kMostBuffers, "min-percent", 50U, nullptr);
  GstAppSrcCallbacks callbacks{};
  callbacks.need_data = &on_need;
  gst_app_src_set_callbacks(source(), &callbacks, this, nullptr);
  if (const Owned<GstElement> muxer = find_element(pipeline_.get(), "gxr_muxer")) {
    gst_element_foreach_sink_pad(muxer.get(), &set_time_base, nullptr);
  }
}

void PipelineRecording::open() {
  watch_ = std::make_unique<BusWatch>(
      pipeline_.get(),
      BusWatch::Calls{[this] { end(false); }, [] {},
                      [this](const std::string& text, Failing /*failing*/) {
                        listener_.on_error(text);
                        end(true);
                      },
                      [this](const std::string& text) { listener_.on_warning(text); }});
  if (gst_element_set_state(pipeline_.get(), GST_STATE_PAUSED) == GST_STATE_CHANGE_FAILURE) {
    wait_for_end(kReasonLimit);
  }
}

bool PipelineRecording::wait_for_end(std::chrono::nanoseconds limit) {
  std::unique_lock lock(mutex_);
  return ended_changed_.wait_for(lock, limit, [this] { return ended_; }) && !failed_;
}

void PipelineRecording::end(bool failed) {
  const std::lock_guard lock(mutex_);
  ended_ = true;
  failed_ = failed_ || failed;
  ended_changed_.notify_all();
}

void PipelineRecording::start(const PictureFormat& format) {
  set_bitrate(pipeline_.get(), options_, format);
  info_ = video_info_of(format);
  duration_ = static_cast<GstClockTime>(1e9 / format.frame_rate);
  const Owned<GstCaps> caps = caps_of(format, info_);
  gst_app_src_set_caps(source(), caps.get());
  gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING);
}

void PipelineRecording::push(const PictureMemory& picture, std::shared_ptr<const void> owner,
                             std::int64_t time) {
  push(buffer_of(info_, picture, std::move(owner)), time, duration_);
}

void PipelineRecording::start_sound(const AudioBufferInfo& info) {
  set_sound_bitrate(pipeline_.get(), options_);
  sound_ = info;
  const Owned<GstCaps> caps = caps_of_sound(info);
  gst_app_src_set_caps(source(), caps.get());
  gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING);
}

void PipelineRecording::push_sound(const std::byte* data, std::uint64_t bytes,
                                   std::shared_ptr<const void> owner, std::int64_t time) {
  const std::uint64_t samples = bytes / (std::uint64_t{sound_.bytes_per_sample} * sound_.channels);
  push(wrap(data, bytes, std::move(owner)), time,
       gst_util_uint64_scale(samples, GST_SECOND, sound_.sampling_rate));
}

void PipelineRecording::push(GstBuffer* buffer, std::int64_t time, GstClockTime duration) {
  GST_BUFFER_PTS(buffer) = static_cast<GstClockTime>(time);
  GST_BUFFER_DURATION(buffer) = duration;
  gst_app_src_push_buffer(source(), buffer);
  const std::lock_guard lock(level_mutex_);
  if (gst_app_src_get_current_level_buffers(source()) >= kMostBuffers) {
    listener_.on_full();
  }
}

void PipelineRecording::on_need(GstAppSrc* /*source*/, guint /*length*/, gpointer self) {
  auto& recording = *static_cast<PipelineRecording*>(self);
  const std::lock_guard lock(recording.level_mutex_);
  recording.listener_.on_room();
}

bool PipelineRecording::finish(std::chrono::nanoseconds limit) {
  gst_app_src_end_of_stream(source());
  return wait_for_end(limit);
}

void PipelineRecording::stop() noexcept {
  watch_.reset();
  gst_element_set_state(pipeline_.get(), GST_STATE_NULL);
}

}  // namespace

std::unique_ptr<Recording> make_recording(const RecordingOptions& options,
                                          RecordingListener& listener) {
  return std::make_unique<PipelineRecording>(options, listener);
}

}  // namespace gxr::media

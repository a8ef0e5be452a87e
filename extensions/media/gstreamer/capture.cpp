#include "media/gstreamer/capture.hpp"

#include <algorithm>
#include <atomic>
#include <exception>
#include <memory>
#include <optional>
#include <utility>

#include <gst/app/gstappsink.h>
#include <gst/gst.h>
#include <gst/video/video.h>

#include "gxr/error.hpp"
#include "media/gstreamer/bus_watch.hpp"
#include "media/gstreamer/capture_pipeline.hpp"
#include "media/gstreamer/lent_picture.hpp"
#include "media/gstreamer/lent_sound.hpp"
#include "media/gstreamer/pipeline.hpp"

namespace gxr::media {
namespace {

/// The most buffers that the pool of a buffer may give out; 0: any number.
guint limit_of_pool(GstBuffer* buffer) {
  if (buffer->pool == nullptr) {
    return 0;
  }
  guint most = 0;
  GstStructure* const config = gst_buffer_pool_get_config(buffer->pool);
  gst_buffer_pool_config_get_params(config, nullptr, nullptr, nullptr, &most);
  gst_structure_free(config);
  return most;
}

/// Is it in one piece that nobody else has, and that can be written? Memory of a descriptor is
/// mapped for reading alone.
bool belongs_to_one(GstBuffer* buffer) {
  if (gst_buffer_is_writable(buffer) == FALSE || gst_buffer_n_memory(buffer) != 1 ||
      gst_buffer_is_all_memory_writable(buffer) == FALSE) {
    return false;
  }
  GstMemory* const memory = gst_buffer_peek_memory(buffer, 0);
  return gst_memory_is_type(memory, "fd") == FALSE && gst_memory_is_type(memory, "dmabuf") == FALSE;
}

GstBuffer* copy_of(GstBuffer* buffer) {
  constexpr int kAll =
      int{GST_BUFFER_COPY_ALL} | int{GST_BUFFER_COPY_MERGE} | int{GST_BUFFER_COPY_DEEP};
  return gst_buffer_copy_region(buffer, static_cast<GstBufferCopyFlags>(kAll), 0, G_MAXSIZE);
}

class PipelineCapture final : public Capture {
 public:
  PipelineCapture(const CaptureOptions& options, CaptureListener& listener);
  ~PipelineCapture() override { stop(); }

  void start() override;
  void stop() noexcept override;
  [[nodiscard]] std::uint64_t copies() const noexcept override {
    return copies_.load(std::memory_order_relaxed);
  }

 private:
  static GstFlowReturn on_sample(GstAppSink* sink, gpointer self);
  static void on_all_pads(GstElement* decoder, gpointer self);
  static GstPadProbeReturn on_buffer(GstPad* pad, GstPadProbeInfo* info, gpointer self);

  GstFlowReturn take(GstSample* sample);
  void take_caps(GstCaps* caps);
  void lend(GstBuffer* buffer, Picture& picture);
  void set_times(GstSample* sample, Picture& picture);
  [[nodiscard]] bool is_scarce(GstBuffer* buffer) const;
  [[nodiscard]] bool query_live() const;
  void on_prerolled();
  void on_end();
  void rewind();

  CaptureOptions options_;
  CaptureListener& listener_;
  Owned<GstElement> pipeline_;
  Owned<GstElement> sink_;
  std::unique_ptr<BusWatch> watch_;
  bool is_at_part_ = false;  // of the watch's thread once it runs
  std::shared_ptr<Lent> lent_ = std::make_shared<Lent>(0);
  std::atomic<std::uint64_t> copies_{0};
  std::atomic<std::int64_t> offset_{0};  // ns of the repetitions before
  std::atomic<std::int64_t> end_{0};     // ns, of the last picture in this one
  // Of the thread that delivers pictures.
  Owned<GstCaps> caps_;
  GstVideoInfo info_{};
  std::string bayer_;
  AudioBufferInfo sound_{};
  std::optional<bool> live_;
  bool has_begun_ = false;
  bool told_of_scarcity_ = false;
};

PipelineCapture::PipelineCapture(const CaptureOptions& options, CaptureListener& listener)
    : options_(options), listener_(listener) {
  CapturePipeline made = make_capture_pipeline(options_);
  pipeline_ = std::move(made.pipeline);
  sink_ = std::move(made.sink);
  GstAppSinkCallbacks callbacks{};
  callbacks.new_sample = &on_sample;
  gst_app_sink_set_callbacks(GST_APP_SINK(sink_.get()), &callbacks, this, nullptr);
  const Owned<GstPad> pad(gst_element_get_static_pad(sink_.get(), "sink"));
  gst_pad_add_probe(pad.get(), GST_PAD_PROBE_TYPE_BUFFER, &on_buffer, this, nullptr);
  if (const Owned<GstElement> decoder = find_element(pipeline_.get(), "gxr_decoder")) {
    g_signal_connect(decoder.get(), "no-more-pads", G_CALLBACK(&on_all_pads), this);
  }
}

void PipelineCapture::start() {
  is_at_part_ = !wants_part(options_);
  watch_ = std::make_unique<BusWatch>(
      pipeline_.get(),
      BusWatch::Calls{
          [this] { on_end(); }, [this] { on_prerolled(); },
          [this](const std::string& text, Failing failing) { listener_.on_error(text, failing); },
          [this](const std::string& text) { listener_.on_warning(text); }});
  // A failure also comes as a message, which says more.
  const bool pauses = wants_part(options_);
  const GstStateChangeReturn change =
      gst_element_set_state(pipeline_.get(), pauses ? GST_STATE_PAUSED : GST_STATE_PLAYING);
  if (pauses && change == GST_STATE_CHANGE_NO_PREROLL) {
    listener_.on_error("a live source has no 'start' and 'stop'", Failing::ForGood);
  }
}

/// On the watch's thread: it stands at its first picture.
void PipelineCapture::on_prerolled() {
  if (std::exchange(is_at_part_, true)) {
    return;
  }
  try {
    seek_to_part(pipeline_.get(), options_);
    gst_element_set_state(pipeline_.get(), GST_STATE_PLAYING);
  } catch (const Error& error) {
    listener_.on_error(error.what(), Failing::ForGood);
  }
}

void PipelineCapture::stop() noexcept {
  watch_.reset();
  gst_element_set_state(pipeline_.get(), GST_STATE_NULL);
}

/// The streams of the source are known: is there one with pictures?
void PipelineCapture::on_all_pads(GstElement* /*decoder*/, gpointer self) {
  auto& capture = *static_cast<PipelineCapture*>(self);
  const Owned<GstElement> convert = find_element(capture.pipeline_.get(), "gxr_convert");
  const Owned<GstPad> pad(gst_element_get_static_pad(convert.get(), "sink"));
  if (gst_pad_is_linked(pad.get()) == FALSE) {
    capture.listener_.on_error(std::string("the source has no ") +
                                   (capture.options_.medium == Medium::Audio ? "audio" : "video") +
                                   " stream that GStreamer can decode",
                               Failing::ForGood);
  }
}

GstFlowReturn PipelineCapture::on_sample(GstAppSink* sink, gpointer self) {
  auto& capture = *static_cast<PipelineCapture*>(self);
  GstSample* const sample = gst_app_sink_pull_sample(sink);
  if (sample == nullptr) {
    return GST_FLOW_EOS;
  }
  try {
    return capture.take(sample);
  } catch (const std::exception& error) {
    capture.listener_.on_error(error.what(), Failing::ForGood);
    return GST_FLOW_ERROR;
  }
}

GstFlowReturn PipelineCapture::take(GstSample* sample) {
  Picture picture;
  GstBuffer* buffer = gst_buffer_ref(gst_sample_get_buffer(sample));
  try {
    take_caps(gst_sample_get_caps(sample));
    set_times(sample, picture);
  } catch (...) {
    gst_buffer_unref(buffer);
    gst_sample_unref(sample);
    throw;
  }
  gst_sample_unref(sample);
  if (options_.medium == Medium::Audio && gst_buffer_get_size(buffer) == 0) {
    gst_buffer_unref(buffer);
    return GST_FLOW_OK;
  }
  lend(buffer, picture);
  return listener_.on_picture(std::move(picture)) ? GST_FLOW_OK : GST_FLOW_FLUSHING;
}

void PipelineCapture::lend(GstBuffer* buffer, Picture& picture) {
  if (options_.medium == Medium::Audio) {
    picture.sound = audio_buffer_of(buffer, sound_, lent_);
    return;
  }
  auto lent = std::make_unique<LentPicture>(buffer, info_, lent_);
  picture.bayer = bayer_;
  if (is_planar(options_.format)) {
    picture.planes = video_buffer_of(std::move(lent), options_.format);
  } else {
    picture.tensor = tensor_of(std::move(lent), options_.format);
  }
}

void PipelineCapture::take_caps(GstCaps* caps) {
  if (caps_.get() == caps) {
    return;
  }
  const bool is_sound = options_.medium == Medium::Audio;
  if (is_sound ? !read_sound_caps(caps, sound_) : !read_caps(caps, info_, bayer_)) {
    throw Error(ErrorCode::InvalidData,
                std::string("the pipeline delivers no ") + (is_sound ? "sound" : "pictures"));
  }
  caps_.reset(gst_caps_ref(caps));
}

bool PipelineCapture::query_live() const {
  GstQuery* const query = gst_query_new_latency();
  gboolean live = FALSE;
  // Of the element before: a sink that does not wait for the clock says nothing of it.
  const Owned<GstPad> pad(gst_element_get_static_pad(sink_.get(), "sink"));
  if (gst_pad_peer_query(pad.get(), query) != FALSE) {
    gst_query_parse_latency(query, &live, nullptr, nullptr);
  }
  gst_query_unref(query);
  return live != FALSE;
}

void PipelineCapture::set_times(GstSample* sample, Picture& picture) {
  if (!live_) {
    live_ = query_live();
  }
  picture.live = *live_;
  end_.store(std::max<std::int64_t>(end_.load(std::memory_order_relaxed), 1),
             std::memory_order_relaxed);
  GstBuffer* const buffer = gst_sample_get_buffer(sample);
  // The first of a stream follows nothing.
  picture.follows_gap = has_begun_ && GST_BUFFER_IS_DISCONT(buffer) != FALSE;
  has_begun_ = true;
  GstSegment* const segment = gst_sample_get_segment(sample);
  const GstClockTime time = GST_BUFFER_PTS(buffer);
  if (!GST_CLOCK_TIME_IS_VALID(time) || segment->format != GST_FORMAT_TIME) {
    return;
  }
  if (picture.live) {
    const auto seen = gst_segment_to_running_time(segment, GST_FORMAT_TIME, time);
    const auto now = gst_element_get_current_running_time(pipeline_.get());
    const bool known = GST_CLOCK_TIME_IS_VALID(seen) && GST_CLOCK_TIME_IS_VALID(now);
    picture.age = known && now > seen ? static_cast<std::int64_t>(now - seen) : 0;
    return;
  }
  const auto begin = gst_segment_to_stream_time(segment, GST_FORMAT_TIME, time);
  if (GST_CLOCK_TIME_IS_VALID(begin)) {
    const bool lasts = GST_BUFFER_DURATION_IS_VALID(buffer);
    const auto own_time = static_cast<std::int64_t>(begin);
    picture.time = offset_.load(std::memory_order_relaxed) + own_time;
    end_.store(own_time + (lasts ? static_cast<std::int64_t>(GST_BUFFER_DURATION(buffer)) : 1),
               std::memory_order_relaxed);
  }
}

bool PipelineCapture::is_scarce(GstBuffer* buffer) const {
  const guint limit = limit_of_pool(buffer);
  return limit > 0 && lent_->load(std::memory_order_relaxed) + 2 >= limit;
}

/// The sink gets buffers that nobody else has, and that consumers of the messages may write.
GstPadProbeReturn PipelineCapture::on_buffer(GstPad* /*pad*/, GstPadProbeInfo* info,
                                             gpointer self) {
  auto& capture = *static_cast<PipelineCapture*>(self);
  GstBuffer* const buffer = GST_PAD_PROBE_INFO_BUFFER(info);
  const bool scarce = capture.is_scarce(buffer);
  if (scarce && !std::exchange(capture.told_of_scarcity_, true)) {
    capture.listener_.on_warning(
        "messages hold nearly all buffers of the source, so they are copied; more may follow");
  }
  if (scarce || !belongs_to_one(buffer)) {
    capture.copies_.fetch_add(1, std::memory_order_relaxed);
    GST_PAD_PROBE_INFO_DATA(info) = copy_of(buffer);
    gst_buffer_unref(buffer);
  }
  return GST_PAD_PROBE_OK;
}

void PipelineCapture::on_end() {
  if (options_.repeat) {
    rewind();
  } else {
    listener_.on_end();
  }
}

void PipelineCapture::rewind() {
  const std::int64_t length = end_.exchange(0, std::memory_order_relaxed) - options_.begin.count();
  if (length <= 0) {
    return listener_.on_error("the source has nothing to repeat", Failing::ForGood);
  }
  offset_.fetch_add(length, std::memory_order_relaxed);
  try {
    seek_to_part(pipeline_.get(), options_);
  } catch (const Error& error) {
    listener_.on_error(error.what(), Failing::ForGood);
  }
}

}  // namespace

std::unique_ptr<Capture> make_capture(const CaptureOptions& options, CaptureListener& listener) {
  return std::make_unique<PipelineCapture>(options, listener);
}

}  // namespace gxr::media

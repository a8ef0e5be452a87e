#include "media/gstreamer/streams.hpp"

#include <utility>

#include <gst/app/gstappsrc.h>

#include "media/gstreamer/pictures.hpp"

namespace gxr::media {
namespace {

constexpr guint64 kMostWaiting = 4;            // pictures that wait for the encoder
constexpr std::int64_t kShortest = 1'000'000;  // time of a picture, in ns
// How far times may be from the clock, in ns: clients wait for what is ahead.
constexpr std::int64_t kFarthestAhead = 100'000'000;
constexpr std::int64_t kFarthestBehind = 500'000'000;

}  // namespace

void Streams::start(const PictureFormat& format) {
  const std::lock_guard lock(mutex_);
  format_ = format;
  info_ = video_info_of(format);
  for (const Stream& stream : streams_) {
    set_up(stream);
  }
}

void Streams::add(GstElement* pipeline) {
  const std::lock_guard lock(mutex_);
  if (listener_ == nullptr) {
    return;
  }
  Stream stream{Owned<GstElement>(GST_ELEMENT(gst_object_ref(pipeline))),
                find_element(pipeline, "gxr_source")};
  g_object_set(stream.source.get(), "format", GST_FORMAT_TIME, "is-live", TRUE, "block", FALSE,
               "max-bytes", guint64{0}, nullptr);
  if (format_) {
    set_up(stream);
  }
  streams_.push_back(std::move(stream));
}

void Streams::remove(GstElement* pipeline) {
  std::vector<Stream> gone;  // goes after the lock
  const std::lock_guard lock(mutex_);
  for (Stream& stream : streams_) {
    if (stream.pipeline.get() == pipeline) {
      gone.push_back(std::move(stream));
    }
  }
  std::erase_if(streams_, [](const Stream& each) { return each.pipeline == nullptr; });
  changed_.notify_all();
}

void Streams::begin_anew() {
  const std::lock_guard lock(mutex_);
  for (const Stream& stream : streams_) {
    gst_element_send_event(stream.source.get(), gst_video_event_new_downstream_force_key_unit(
                                                    GST_CLOCK_TIME_NONE, GST_CLOCK_TIME_NONE,
                                                    GST_CLOCK_TIME_NONE, TRUE, 0));
  }
}

void Streams::set_up(const Stream& stream) {
  set_bitrate(stream.pipeline.get(), options_, *format_);
  const Owned<GstCaps> caps = caps_of(*format_, info_);
  gst_app_src_set_caps(GST_APP_SRC(stream.source.get()), caps.get());
}

void Streams::push(const PictureMemory& picture, std::shared_ptr<const void> owner,
                   std::int64_t time) {
  const std::lock_guard lock(mutex_);
  if (streams_.empty()) {
    return;
  }
  GstBuffer* const buffer = buffer_of(info_, picture, std::move(owner));
  for (Stream& stream : streams_) {
    push_into(stream, buffer, time);
  }
  gst_buffer_unref(buffer);
}

void Streams::push_into(Stream& stream, GstBuffer* buffer, std::int64_t time) {
  auto* const source = GST_APP_SRC(stream.source.get());
  // Before it runs, its time may count from the wrong moment.
  const bool runs = GST_STATE(source) == GST_STATE_PLAYING;
  const GstClockTime clock = gst_element_get_current_running_time(stream.source.get());
  if (!runs || !GST_CLOCK_TIME_IS_VALID(clock)) {
    return;
  }
  const std::int64_t own_time = time_in(stream, time, static_cast<std::int64_t>(clock));
  const bool is_too_soon = own_time - stream.last < kShortest;
  if (is_too_soon || gst_app_src_get_current_level_buffers(source) >= kMostWaiting) {
    return count_drop();
  }
  stream.last = own_time;
  GstBuffer* const own = gst_buffer_copy(buffer);  // of its times; the memory is the same
  GST_BUFFER_PTS(own) = static_cast<GstClockTime>(own_time);
  gst_app_src_push_buffer(source, own);
}

std::int64_t Streams::time_in(Stream& stream, std::int64_t time, std::int64_t now) {
  const std::int64_t ahead = stream.begin ? *stream.begin + time - now : kFarthestAhead + 1;
  if (ahead > kFarthestAhead || ahead < -kFarthestBehind) {
    stream.begin = now - time;
  }
  return *stream.begin + time;
}

void Streams::count_drop() {
  if (dropped_.fetch_add(1, std::memory_order_relaxed) == 0 && listener_ != nullptr) {
    listener_->on_warning(
        "a picture was dropped, because they come faster than they can be encoded and sent; more "
        "may follow");
  }
}

void Streams::end() {
  const std::lock_guard lock(mutex_);
  for (const Stream& stream : streams_) {
    gst_app_src_end_of_stream(GST_APP_SRC(stream.source.get()));
  }
}

void Streams::wait_until_none(std::chrono::nanoseconds limit) {
  std::unique_lock lock(mutex_);
  changed_.wait_for(lock, limit, [this] { return streams_.empty(); });
}

void Streams::close() {
  std::vector<Stream> gone;  // goes after the lock
  const std::lock_guard lock(mutex_);
  listener_ = nullptr;
  gone.swap(streams_);
}

void Streams::warn(const std::string& text) {
  const std::lock_guard lock(mutex_);
  if (listener_ != nullptr) {
    listener_->on_warning("clients get no pictures: " + text);
  }
}

}  // namespace gxr::media

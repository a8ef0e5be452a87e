#pragma once

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <vector>

#include <gst/gst.h>
#include <gst/video/video.h>

#include "media/gstreamer.hpp"
#include "media/gstreamer/pipeline.hpp"

namespace gxr::media {

/// The pipelines in which a server encodes pictures for its clients: none while it has no clients.
/// Pictures go into them and are dropped where an encoder is not done. Thread-safe.
class Streams {
 public:
  /// The listener must outlive the use, up to close().
  Streams(RecordingOptions options, RecordingListener& listener)
      : options_(std::move(options)), listener_(&listener) {}

  /// Before the first push().
  void start(const PictureFormat& format);
  void push(const PictureMemory& picture, std::shared_ptr<const void> owner, std::int64_t time);
  /// No more pictures come.
  void end();
  /// Returns when all clients have left, or after `limit`.
  void wait_until_none(std::chrono::nanoseconds limit);
  /// The listener is not called any more, and nothing can be added.
  void close();

  /// A pipeline with an appsrc `gxr_source`.
  void add(GstElement* pipeline);
  void remove(GstElement* pipeline);
  /// Makes the encoders begin with a picture that stands alone: a new client sees none before it.
  void begin_anew();
  /// A pipeline has failed; the others go on.
  void warn(const std::string& text);

  [[nodiscard]] std::uint64_t dropped() const noexcept {
    return dropped_.load(std::memory_order_relaxed);
  }

 private:
  struct Stream {
    Owned<GstElement> pipeline;
    Owned<GstElement> source;
    std::optional<std::int64_t> begin = std::nullopt;  // of times, on the pipeline's clock
    std::int64_t last = std::numeric_limits<std::int64_t>::min() / 2;  // time of its last picture
  };

  void set_up(const Stream& stream);
  void push_into(Stream& stream, GstBuffer* buffer, std::int64_t time);
  static std::int64_t time_in(Stream& stream, std::int64_t time, std::int64_t now);
  void count_drop();

  RecordingOptions options_;
  std::atomic<std::uint64_t> dropped_{0};
  std::condition_variable changed_;
  std::mutex mutex_;  // guards what follows
  RecordingListener* listener_;
  std::optional<PictureFormat> format_;
  GstVideoInfo info_{};
  std::vector<Stream> streams_;
};

}  // namespace gxr::media

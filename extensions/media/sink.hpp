#pragma once

#include <cstdint>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>

#include "gxr/codelet.hpp"
#include "gxr/driven_terms.hpp"
#include "gxr/port.hpp"
#include "gxr/tensor.hpp"
#include "media/containers.hpp"
#include "media/gstreamer.hpp"
#include "media/incoming_picture.hpp"
#include "media/incoming_sound.hpp"

namespace gxr {
namespace media {

/// Encodes the pictures or the sound that arrive into a file, or for the clients of an RTSP server,
/// or hands them to any pipeline of GStreamer. While that has enough, the entity waits by an
/// asynchronous term, so no thread waits.
class Sink final : public Codelet, private RecordingListener {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void start() override;
  void tick() override;
  /// Returns when the file is complete.
  void stop() override;
  void deinitialize() override;
  /// It holds a file or a port.
  [[nodiscard]] bool is_exclusive() const override { return true; }

 private:
  void on_full() override;
  void on_room() override;
  void on_error(const std::string& text) override;
  void on_warning(const std::string& text) override;

  void declare_stream(Interface& interface);
  [[nodiscard]] bool shows() const;
  void require_one_target() const;
  [[nodiscard]] RecordingOptions sound_options();
  void make_recording();
  void serve(RecordingOptions stream);
  void check_format(const PictureFormat& format);
  void begin(double frame_rate);
  void take(IncomingPicture picture, std::int64_t time);
  void take_sound(Message message);
  [[nodiscard]] std::int64_t time_of(const Message& message);
  [[nodiscard]] std::string failure() const;
  void throw_failure();
  void finish();
  void report() const;
  void report_serving() const;

  Input<Tensor> in_;
  Parameter<FilePath> path_;
  Parameter<std::string> uri_;
  Parameter<FilePath> credentials_;
  Parameter<std::string> text_;
  Parameter<Medium> medium_;
  Parameter<Codec> codec_;
  Parameter<std::int64_t> bitrate_;
  Parameter<ChannelOrder> format_;
  Parameter<double> frame_rate_;
  Parameter<Duration> finish_timeout_;
  Parameter<std::string> in_tensor_name_;
  Parameter<Handle<AsynchronousSchedulingTerm>> term_;

  std::unique_ptr<Recording> recording_;
  const Serving* serving_ = nullptr;  // the same, with 'uri'
  std::string encoder_;
  std::optional<PictureFormat> pictures_;  // of this recording; none before the first
  std::optional<IncomingPicture> first_;   // waits for the second, which tells the rate
  bool begun_ = false;
  bool is_sound_ = false;
  std::optional<AudioBufferInfo> sound_;  // of this recording; none before the first
  SoundClock sound_clock_;
  std::optional<std::int64_t> first_time_;
  std::int64_t last_time_ = 0;
  std::uint64_t written_ = 0;
  bool told_of_times_ = false;
  bool thrown_ = false;  // failure_
  mutable std::mutex mutex_;
  std::string failure_;  // guarded by mutex_, as the changes of the term are
};

}  // namespace media

}  // namespace gxr

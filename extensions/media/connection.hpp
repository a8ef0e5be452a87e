#pragma once

#include <chrono>
#include <condition_variable>
#include <cstdint>
#include <memory>
#include <mutex>
#include <string>
#include <thread>

#include "media/gstreamer.hpp"

namespace gxr::media {

struct ConnectionOptions {
  std::chrono::nanoseconds timeout{};  ///< longest time without a picture; 0: any
  bool reconnects = false;
  std::chrono::nanoseconds delay{};          ///< before the first attempt; doubles for each
  std::chrono::nanoseconds longest_delay{};  ///< between attempts
  std::uint64_t attempts = 0;                ///< in a row without progress; 0: any number
};

/// Hears of a Connection, on threads of it and of GStreamer.
class ConnectionListener : public CaptureListener {
 public:
  /// Pictures come again, this long after an interruption.
  virtual void on_pictures_again(std::chrono::nanoseconds pause) = 0;

 protected:
  ~ConnectionListener() = default;
};

/// A capture that is made anew when it fails for now. Its listener hears of that by warnings, and
/// the first picture afterwards says that it follows a gap.
class Connection final : private CaptureListener {
 public:
  /// Throws what Gstreamer::make_capture() throws. The listener must outlive the connection.
  Connection(CaptureOptions capture, const ConnectionOptions& options,
             ConnectionListener& listener);
  ~Connection() { stop(); }

  void start();
  /// Returns when the listener is not called any more. on_picture() must not wait any longer.
  void stop() noexcept;
  /// As Capture::copies(). After stop().
  [[nodiscard]] std::uint64_t copies() const noexcept { return copies_; }
  /// How often it has failed while pictures came.
  [[nodiscard]] std::uint64_t interruptions() const;

 private:
  using Clock = std::chrono::steady_clock;
  enum class State : std::uint8_t { Stopped, Connecting, Delivering, Failed, Ended };

  bool on_picture(Picture picture) override;
  void on_end() override;
  void on_error(const std::string& text, Failing failing) override;
  void on_warning(const std::string& text) override { listener_.on_warning(text); }

  void run();
  void reconnect(std::unique_lock<std::mutex>& lock);
  void open();
  void close();
  void follow(Picture& picture, std::chrono::nanoseconds pause);
  void note_progress(bool is_live);
  [[nodiscard]] bool is_open() const;
  [[nodiscard]] bool is_overdue();
  [[nodiscard]] std::string describe_failure(const std::string& text) const;

  CaptureOptions capture_options_;
  ConnectionOptions options_;
  ConnectionListener& listener_;
  std::unique_ptr<Capture> capture_;  // of whoever starts or stops, and of the thread in between
  std::uint64_t copies_ = 0;          // likewise; of the captures before

  mutable std::mutex mutex_;  // guards what follows
  std::condition_variable changed_;
  State state_ = State::Stopped;
  bool is_live_ = true;         // until a picture says otherwise
  bool is_listening_ = false;   // the listener has a picture and may wait
  std::int64_t offset_ = 0;     // ns, of a stream's own times since it began again
  std::int64_t last_time_ = 0;  // ns, of the last picture of such a stream
  bool is_interrupted_ = false;
  Clock::time_point interrupted_;
  Clock::time_point last_picture_;
  std::chrono::nanoseconds delay_{};
  std::uint64_t attempts_ = 0;       // since the last progress
  std::uint64_t pictures_ = 0;       // of this capture
  std::uint64_t most_pictures_ = 0;  // of one capture
  std::uint64_t interruptions_ = 0;
  std::thread thread_;
};

}  // namespace gxr::media

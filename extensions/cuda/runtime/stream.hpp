#pragma once

#include <atomic>
#include <cstdint>
#include <deque>
#include <mutex>
#include <vector>

#include "gxr/device_runtime.hpp"
#include "owned.hpp"

namespace gxr::cuda {

/// A stream with the events that were recorded on it.
class RuntimeStream final : public DeviceStream {
 public:
  /// `stream` is one of `options.device`.
  RuntimeStream(OwnedStream stream, const StreamOptions& options);
  ~RuntimeStream() override;

  void record() override;
  void wait_for(const DeviceWork& work) override;
  bool is_done(std::uint64_t number) override;
  void wait_on_host(std::uint64_t number) override;
  /// Work that the legacy default stream of the device is given from now on begins after this work.
  void let_default_stream_wait(std::uint64_t number);

  [[nodiscard]] const StreamOptions& options() const noexcept { return options_; }
  /// Waits for all work and gives the stream up: everything it was given is done from now on. When
  /// the device was given up, the stream stays.
  void retire() noexcept;
  /// Of all that it was given; empty: all is done. Records an event behind work that has none.
  [[nodiscard]] DeviceWork oldest_unfinished();
  /// After retire(): stands for another stream, of the same device and not plain. Numbers go on.
  void revive(OwnedStream stream, const StreamOptions& options);
  /// Recorded events, and those that wait to be recorded again.
  [[nodiscard]] std::size_t events() const;
  [[nodiscard]] bool is_retired() const noexcept { return retired_.load(); }

 private:
  struct Point {
    std::uint64_t number;  ///< all work up to this lies before the event
    Event event;
  };

  /// The first event behind this work; records one when there is none. Call with mutex_ held.
  Point& point_behind(std::uint64_t number);
  Point& record_locked();
  Event take_event();
  [[nodiscard]] bool finish() noexcept;

  StreamOptions options_;
  OwnedStream stream_;
  mutable std::mutex mutex_;  // guards the members below
  std::deque<Point> points_;  // in the order of the stream
  std::vector<Event> spare_;  // have happened, to be recorded again
  std::atomic<bool> retired_{false};
};

}  // namespace gxr::cuda

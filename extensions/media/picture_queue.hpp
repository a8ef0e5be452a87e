#pragma once

#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <mutex>
#include <optional>
#include <string>

#include "gxr/driven_terms.hpp"
#include "media/gstreamer.hpp"

namespace gxr::media {

/// How a full queue treats the next picture.
enum class Fullness : std::uint8_t { Waits, DropsOldest, DropsNewest };

/// Pictures on their way from the threads of GStreamer to the ticks of an entity, and a term that
/// lets the entity tick while there is one. Thread-safe.
class PictureQueue {
 public:
  /// Empties the queue. `term` must outlive its use, up to close().
  void open(AsynchronousSchedulingTerm& term, std::size_t capacity);
  /// Nobody waits any more, and the queue is empty.
  void close();

  /// False after close(). `dropped` is the number of drops so far if this one found no room.
  bool push(Picture picture, Fullness fullness, std::uint64_t& dropped);
  /// No more pictures come; with `at_once`, those in the queue are dropped uncounted.
  void end(bool at_once = false);
  /// No more pictures come, for this reason; the first counts.
  void fail(const std::string& reason);

  /// The oldest picture; none when it failed or ended.
  std::optional<Picture> take();
  /// Why no more pictures come; empty while there are some, or without a failure.
  [[nodiscard]] std::string failure() const;
  [[nodiscard]] std::uint64_t dropped() const;

 private:
  void tell();  // the term how it is; with the lock

  mutable std::mutex mutex_;  // guards what follows, and the changes of the term
  std::condition_variable room_;
  AsynchronousSchedulingTerm* term_ = nullptr;
  std::deque<Picture> pictures_;
  std::size_t capacity_ = 0;
  std::uint64_t arrived_ = 0;
  std::uint64_t dropped_ = 0;
  bool lost_gap_ = false;  // a dropped picture followed a gap, so the next one does
  std::string failure_;
  bool open_ = false;
  bool ended_ = false;
};

}  // namespace gxr::media

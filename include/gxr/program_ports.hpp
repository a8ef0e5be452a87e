#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>

#include "gxr/export.hpp"
#include "gxr/message.hpp"

namespace gxr {

class TapQueue;

/// How long a call waits: for ever.
inline constexpr std::chrono::nanoseconds kNoTimeout = std::chrono::nanoseconds::max();

/// How a program pushes messages into a receiver; see Application::input().
struct InputOptions {
  /// Messages that wait in front of the receiver at most, from 1 to 2^24.
  std::size_t capacity = 16;
  /// Called when push() would give another answer than before: there is room, or nothing is taken
  /// any more. For programs that wait for several things at once. Called often, and on any thread,
  /// also within calls of the program such as end_input(): the program must hold no lock there that
  /// this function takes. It must only wake somebody: no call of the application, no exception.
  std::function<void()> on_change = nullptr;
};

/// What became of a message that a program pushed.
enum class PushResult : std::uint8_t {
  Taken,     ///< it is on its way to the receiver
  TimedOut,  ///< there was no room in time; the message is the caller's as before
  Ended,     ///< nothing is taken any more; the message is the caller's as before
};

/// What happens to messages when a program is too slow to take them.
enum class TapPolicy : std::uint8_t {
  Wait,        ///< no message is lost: the graph waits, as it does for a full receiver
  DropOldest,  ///< the oldest message makes room, and is counted in Report::dropped
};

/// How a program takes messages from a transmitter; see Application::tap().
struct TapOptions {
  /// Messages that wait for the program at most, from 1 to 2^24.
  std::size_t capacity = 16;
  /// What happens when that many wait.
  TapPolicy policy = TapPolicy::Wait;
  /// Called when a message has arrived, and when no more come; see InputOptions::on_change.
  std::function<void()> on_change = nullptr;
};

/// Where a program takes the messages of one transmitter. Several threads may take at the same
/// time; each message goes to one. While the object exists, messages wait for it; when it is
/// destroyed, the graph goes on without it. After the end of the run, the messages that are left
/// can still be taken, until the Application is destroyed. Destroy taken messages before the
/// Application.
class GXR_API Tap {
 public:
  /// A tap without messages, as one that was moved from.
  Tap() noexcept;
  ~Tap();
  /// Leaves `other` without messages.
  Tap(Tap&& other) noexcept;
  /// Likewise; the messages of this one are let go, as by the destructor.
  Tap& operator=(Tap&& other) noexcept;

  /// The oldest message, whose device work is done. Waits until one is there; null when time is
  /// over, or when the run has ended and all messages were taken.
  Message take(std::chrono::nanoseconds timeout = kNoTimeout);
  /// The same without waiting.
  Message try_take() { return take(std::chrono::nanoseconds::zero()); }
  /// Messages that wait to be taken.
  [[nodiscard]] std::size_t waiting() const;
  /// Has the run ended, and were all messages taken? No message will come then.
  [[nodiscard]] bool ended() const;

 private:
  friend class EngineAccess;

  explicit Tap(std::shared_ptr<TapQueue> queue) noexcept;
  void leave() noexcept;

  std::shared_ptr<TapQueue> queue_;
};

}  // namespace gxr

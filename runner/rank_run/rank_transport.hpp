#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "internal_api.hpp"
#include "ipc/ipc_protocol.hpp"
#include "ranks/rank_map.hpp"

namespace gxr {

using RankBytes = IpcBytes;

/// What ranks say to each other.
enum class RankFrame : std::uint32_t {
  Message = 1,      ///< of a channel
  Credit = 2,       ///< of a channel: that many more messages may come; body: std::uint64_t
  Termination = 3,  ///< body: TerminationMessage
  EndRun = 4,       ///< the run is to end early; body: RankEnd
  Report = 5,       ///< of a rank whose run has ended; body: RankReport
  Done = 6,         ///< the report is written; body: the exit code, std::int32_t
  Bye = 7,          ///< nothing follows
  Question = 8,     ///< its number stands for a channel; body: a text
  Change = 9,       ///< the same, of what changes the application
  Answer = 10,      ///< likewise, to one of both
};

/// Carries frames between one rank and all others. Messages and credits of two ranks come in the
/// order in which they were sent, and so do the other frames.
class GXR_INTERNAL_API RankTransport {
 public:
  /// Called by one thread at a time: one of the transport, or one that polls.
  struct Listener {
    std::function<void(Rank from, RankFrame kind, std::uint32_t channel, RankBytes body)> frame;
    /// A rank has gone without a Bye, or has sent what makes no sense. At most once a rank.
    std::function<void(Rank rank, const std::string& why)> lost;
  };

  RankTransport() = default;
  RankTransport(const RankTransport&) = delete;
  RankTransport& operator=(const RankTransport&) = delete;
  virtual ~RankTransport();

  [[nodiscard]] virtual Rank rank() const noexcept = 0;
  [[nodiscard]] virtual Rank ranks() const noexcept = 0;
  /// Number of this rank among those of its host, from 0.
  [[nodiscard]] virtual Rank rank_of_host() const noexcept = 0;
  /// From now on frames come in. Once. Throws Error(OutOfMemory) when there is no thread.
  virtual void begin(Listener listener) = 0;
  /// Sends a frame, or keeps it until there is room; never waits. Frames to lost ranks, and behind
  /// a Bye, go nowhere. Any thread.
  virtual void send(Rank to, RankFrame kind, std::uint32_t channel, RankBytes body) = 0;
  /// Takes in frames on the calling thread, which has nothing else to do. True when one came; false
  /// when none came for a while, or for `most` ns, or `stop` became true: then a thread of the
  /// transport goes on. Not from within the listener.
  virtual bool poll(const std::atomic<bool>& stop, std::int64_t most);
  /// Says Bye to all, waits until everything is sent, `patience` at most, and ends the threads. The
  /// thread that made the transport.
  virtual void finish(std::chrono::milliseconds patience) noexcept = 0;

  void send_to_all(RankFrame kind, const RankBytes& body);
};

/// A value as the body of a frame.
template <class T>
RankBytes to_body(const T& value) {
  const auto bytes = std::as_bytes(std::span(&value, 1));
  return {bytes.begin(), bytes.end()};
}

}  // namespace gxr

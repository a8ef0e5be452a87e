#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "internal_api.hpp"
#include "ipc/file_descriptor.hpp"
#include "ipc/ipc_protocol.hpp"
#include "ipc/service_thread.hpp"
#include "ranks/rank_map.hpp"

namespace gxr {

using RankBytes = std::vector<std::byte>;

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

/// The connections of one rank to all others, on stream sockets. A thread of its own takes in what
/// they send. The order of frames between two ranks is kept.
class GXR_INTERNAL_API RankMesh {
 public:
  /// Called by the mesh's thread.
  struct Listener {
    std::function<void(Rank from, RankFrame kind, std::uint32_t channel, RankBytes body)> frame;
    /// A rank has gone without a Bye, or has sent what makes no sense. At most once a rank.
    std::function<void(Rank rank, const std::string& why)> lost;
  };
  /// A frame is no longer than this.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 36U;

  /// `sockets`: by rank; that of `self` is not used.
  RankMesh(Rank self, std::vector<FileDescriptor> sockets);
  RankMesh(const RankMesh&) = delete;
  RankMesh& operator=(const RankMesh&) = delete;
  ~RankMesh();

  [[nodiscard]] Rank rank() const noexcept { return self_; }
  [[nodiscard]] Rank ranks() const noexcept { return static_cast<Rank>(peers_.size()); }
  /// From now on frames come in. Once. Throws Error(OutOfMemory) when there is no thread.
  void begin(Listener listener);
  /// Sends a frame, or keeps it until there is room; never waits. Frames to lost ranks, and behind
  /// a Bye, go nowhere. Any thread.
  void send(Rank to, RankFrame kind, std::uint32_t channel, std::span<const std::byte> body);
  void send_to_all(RankFrame kind, std::span<const std::byte> body);
  /// Says Bye to all, waits until everything is sent, `patience` at most, and ends the thread.
  void finish(std::chrono::milliseconds patience) noexcept;

 private:
  struct Header {
    RankFrame kind = RankFrame::Bye;
    std::uint32_t channel = 0;
    std::uint64_t bytes = 0;
  };
  static_assert(sizeof(Header) == 16);

  struct Peer {
    FileDescriptor socket;
    // Of the thread.
    RankBytes input;             // the begin of what was read and not yet taken apart
    std::size_t have = 0;        // of it
    std::optional<Header> body;  // whose body is being read
    RankBytes bytes;             // that body
    std::size_t body_have = 0;
    bool closed = false;  // nothing comes any more
    // Guarded by mutex_.
    std::deque<RankBytes> output;
    std::size_t output_sent = 0;  // of its first
    bool open = false;            // frames may be sent
  };

  void serve(int stop);
  bool read_from(Rank rank, Peer& peer);
  bool take_apart(Rank rank, Peer& peer);
  void deliver(Rank rank, Peer& peer, const Header& header, RankBytes body);
  void lose(Rank rank, Peer& peer, const std::string& why);
  /// With mutex_ held; false: the socket takes no more.
  static bool flush(Peer& peer);
  static std::size_t send_now(Peer& peer, const Header& header, std::span<const std::byte> body);
  [[nodiscard]] bool has_output() const;

  const Rank self_;
  Listener listener_;
  WakeUp wake_;
  mutable std::mutex mutex_;
  std::condition_variable flushed_;
  std::vector<std::unique_ptr<Peer>> peers_;
  std::optional<ServiceThread> thread_;
};

}  // namespace gxr

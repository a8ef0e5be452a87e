#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <deque>
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
#include "rank_run/rank_transport.hpp"
#include "ranks/rank_map.hpp"

namespace gxr {

/// The connections of one rank to all others, on stream sockets. A thread of its own takes in what
/// they send. The order of all frames between two ranks is kept.
class GXR_INTERNAL_API RankMesh final : public RankTransport {
 public:
  /// A frame is no longer than this.
  static constexpr std::uint64_t kMostBytes = std::uint64_t{1} << 36U;

  /// `sockets`: by rank; that of `self` is not used.
  RankMesh(Rank self, std::vector<FileDescriptor> sockets);
  ~RankMesh() override;

  [[nodiscard]] Rank rank() const noexcept override { return self_; }
  [[nodiscard]] Rank ranks() const noexcept override { return static_cast<Rank>(peers_.size()); }
  /// Its ranks, where it is the only transport, are processes of one host.
  [[nodiscard]] Rank rank_of_host() const noexcept override { return rank(); }
  void begin(Listener listener) override;
  void send(Rank to, RankFrame kind, std::uint32_t channel, RankBytes body) override;
  void finish(std::chrono::milliseconds patience) noexcept override;

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

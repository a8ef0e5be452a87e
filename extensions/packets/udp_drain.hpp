#pragma once

#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>

#include <sys/socket.h>

#include "gxr/cuda/ring.hpp"

namespace gxr::cuda {

/// Sends the frames of a ring straight from its slots as datagrams, many with one call. One thread;
/// counts are for any.
class UdpDrain {
 public:
  UdpDrain(int socket, const RingView& ring) noexcept;
  UdpDrain(const UdpDrain&) = delete;
  UdpDrain& operator=(const UdpDrain&) = delete;
  ~UdpDrain() = default;

  /// Sends what is there, up to 64 frames. False when nothing left the ring.
  bool drain() noexcept;
  /// Has the writer ended, and is everything sent?
  [[nodiscard]] bool has_ended() const noexcept { return reader_.has_ended(); }
  [[nodiscard]] bool has_more() const noexcept { return reader_.has_more(); }

  [[nodiscard]] std::uint64_t sent() const noexcept { return sent_; }
  /// Datagrams that the system refused to send, and the last reason (errno).
  [[nodiscard]] std::uint64_t refused() const noexcept { return refused_; }
  [[nodiscard]] int reason() const noexcept { return reason_; }
  /// Times that the other machine refused a datagram because nobody receives there.
  [[nodiscard]] std::uint64_t unheard() const noexcept { return unheard_; }

 private:
  static constexpr std::uint32_t kMost = 64;  // datagrams of a call

  [[nodiscard]] std::uint32_t collect() noexcept;
  void note_error(int error) noexcept;

  int socket_;
  RingReader reader_;
  std::array<iovec, kMost> places_{};
  std::array<mmsghdr, kMost> datagrams_{};
  std::atomic<std::uint64_t> sent_{0};
  std::atomic<std::uint64_t> refused_{0};
  std::atomic<int> reason_{0};
  std::atomic<std::uint64_t> unheard_{0};
};

}  // namespace gxr::cuda

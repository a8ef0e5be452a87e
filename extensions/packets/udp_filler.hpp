#pragma once

#include <array>
#include <atomic>
#include <cstdint>

#include <sys/socket.h>

#include "gxr/cuda/ring.hpp"

namespace gxr::cuda {

/// Receives datagrams straight into the slots of a ring, many with one call. One thread; counts are
/// for any.
class UdpFiller {
 public:
  enum class Result : std::uint8_t { Received, Nothing, NoRoom };

  /// `frame_bytes`: length of all frames; 0: any that a slot holds.
  UdpFiller(int socket, const RingView& ring, std::uint32_t frame_bytes) noexcept;
  UdpFiller(const UdpFiller&) = delete;
  UdpFiller& operator=(const UdpFiller&) = delete;
  ~UdpFiller() = default;

  /// One call of recvmmsg with these flags. Datagrams of another length leave a void slot.
  /// Throws Error(InputOutput).
  Result fill(int flags);
  /// Datagrams that come from now on count as behind the end. Any thread.
  void close() noexcept { closed_ = true; }
  /// Says that nothing follows.
  void end() noexcept { writer_.end(); }

  [[nodiscard]] std::uint64_t datagrams() const noexcept { return datagrams_; }
  [[nodiscard]] std::uint64_t too_long() const noexcept { return too_long_; }
  [[nodiscard]] std::uint64_t other_lengths() const noexcept { return other_lengths_; }
  /// When the last ones came, as RingSlot::arrival_ns.
  [[nodiscard]] std::int64_t last_arrival_ns() const noexcept { return last_arrival_ns_; }

 private:
  static constexpr std::uint32_t kMost = 64;  // datagrams of a call

  void publish(const mmsghdr& datagram);
  static void count(std::atomic<std::uint64_t>& counter, std::uint64_t more) noexcept {
    counter.store(counter.load(std::memory_order_relaxed) + more, std::memory_order_relaxed);
  }

  int socket_;
  std::uint32_t frame_bytes_;
  RingWriter writer_;
  std::array<iovec, kMost> places_{};
  std::array<mmsghdr, kMost> datagrams_of_call_{};
  std::int64_t last_arrival_ns_ = 0;
  std::atomic<bool> closed_{false};
  std::atomic<std::uint64_t> datagrams_{0};
  std::atomic<std::uint64_t> too_long_{0};
  std::atomic<std::uint64_t> other_lengths_{0};
};

}  // namespace gxr::cuda

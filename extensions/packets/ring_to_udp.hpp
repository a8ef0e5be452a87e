#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <semaphore>
#include <string>
#include <vector>

#include "gxr/cuda/packet_ring.hpp"
#include "gxr/gxr.hpp"
#include "packets/udp_drain.hpp"
#include "packets/udp_socket.hpp"
#include "packets/udp_thread.hpp"

namespace gxr::cuda {

/// Sends the frames of a ring as datagrams, on a thread of its own.
class RingToUdp final : public Component, public MessageAccount, private RingWaiter {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  [[nodiscard]] std::vector<Discard> discards() const override;

 private:
  void ring_changed() override { news_.release(); }
  void send(const std::atomic<bool>& stop);
  void wait_for_frames();

  Parameter<Handle<PacketRing>> ring_;
  Parameter<std::string> address_;
  Parameter<std::uint16_t> port_;
  Parameter<std::string> interface_;
  Parameter<std::uint32_t> hops_;
  Parameter<std::uint64_t> socket_buffer_;
  Parameter<Duration> poll_interval_;
  Parameter<bool> spin_;

  std::optional<UdpSocket> socket_;
  std::optional<UdpDrain> drain_;
  std::counting_semaphore<> news_{0};
  UdpThread thread_;
};

}  // namespace gxr::cuda

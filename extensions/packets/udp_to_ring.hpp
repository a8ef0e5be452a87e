#pragma once

#include <atomic>
#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "gxr/cuda/packet_ring.hpp"
#include "gxr/gxr.hpp"
#include "packets/udp_filler.hpp"
#include "packets/udp_socket.hpp"
#include "packets/udp_thread.hpp"

namespace gxr::cuda {

/// Fills a ring with the datagrams of a UDP socket, on a thread of its own.
class UdpToRing final : public Component, public MessageAccount {
 public:
  void declare(Interface& interface) override;
  void initialize() override;
  void deinitialize() override;
  [[nodiscard]] std::vector<Discard> discards() const override;

 private:
  void open_socket();
  void fill(const std::atomic<bool>& stop);
  void fill_until(const std::atomic<bool>& stop);
  [[nodiscard]] bool is_silent() const;

  Parameter<Handle<PacketRing>> ring_;
  Parameter<std::string> address_;
  Parameter<std::uint16_t> port_;
  Parameter<std::string> interface_;
  Parameter<std::uint32_t> frame_bytes_;
  Parameter<std::uint64_t> socket_buffer_;
  Parameter<Duration> silence_;
  Parameter<bool> spin_;

  std::optional<UdpSocket> socket_;
  std::optional<UdpFiller> filler_;
  UdpThread thread_;
};

}  // namespace gxr::cuda

#include "packets/ring_to_udp.hpp"

#include <chrono>

#include "gxr/plain_text.hpp"
#include "packets/counted.hpp"

namespace gxr::cuda {
namespace {

using Clock = std::chrono::steady_clock;

constexpr std::uint64_t kUsualSendBuffer = 4U << 20U;
constexpr Duration kUsualSendInterval{200'000};
constexpr double kMostHops = 255;
constexpr std::chrono::milliseconds kLongestSend{100};
constexpr std::chrono::seconds kFarewell{1};  // for frames that are left at the end

}  // namespace

void RingToUdp::declare(Interface& interface) {
  interface.parameter(ring_, "ring", "The ring whose frames it sends");
  interface.parameter(address_, "address", "Where they go, as numbers of IPv4 or IPv6",
                      "The address of a machine, or a multicast group.");
  interface.parameter(port_, "port", "Port of UDP there").range(1, UINT16_MAX);
  interface
      .parameter(interface_, "interface", "Network interface for a multicast group, such as eth0",
                 "Empty: the system chooses.")
      .default_value("");
  interface.parameter(hops_, "hops", "How many routers a datagram to a multicast group may pass")
      .default_value(1)
      .range(0, kMostHops);
  interface
      .parameter(socket_buffer_, "socket_buffer", "Bytes that the kernel holds of what it sends",
                 "More than net.core.wmem_max needs the rights of an administrator. 0: the "
                 "kernel's own choice.")
      .default_value(kUsualSendBuffer)
      .unit("bytes");
  interface
      .parameter(poll_interval_, "poll_interval", "How often it looks at the ring",
                 "For a ring whose writer is another process or a GPU. Operators on the CPU wake it "
                 "at once.")
      .default_value(kUsualSendInterval);
  interface.parameter(spin_, "spin", "Looks at the ring without a pause, and takes a core for that")
      .default_value(false);
}

void RingToUdp::initialize() {
  const RingView ring = ring_->on_host();
  UdpSocket::Options options;
  options.interface = *interface_;
  options.buffer_bytes = *socket_buffer_;
  options.hops = *hops_;
  options.pause = kLongestSend;
  socket_ = UdpSocket::sender(UdpAddress("address", *address_, *port_), options);
  ring_->take(RingEnd::Reader, *this);
  drain_.emplace(socket_->descriptor(), ring);
  thread_.start([this](const std::atomic<bool>& stop) { send(stop); });
}

void RingToUdp::deinitialize() {
  thread_.tell_to_end();
  news_.release();
  thread_.join();
  ring_->wait_at(RingEnd::Reader, nullptr);
  ring_->give_up(RingEnd::Reader);
  std::string text = "sent " + counted(drain_->sent(), "datagram");
  if (const std::uint64_t unheard = drain_->unheard(); unheard > 0) {
    text += "; " + counted(unheard, "time") + " nobody received there";
  }
  log_info(text);
}

void RingToUdp::send(const std::atomic<bool>& stop) {
  std::optional<Clock::time_point> end;
  bool has_warned = false;
  while (true) {
    if (drain_->drain()) {
      ring_->changed_by(RingEnd::Reader);
    } else if (!drain_->has_more()) {
      if (stop || drain_->has_ended()) {
        return;
      }
      wait_for_frames();
    }
    if (!has_warned && drain_->refused() > 0) {
      has_warned = true;
      log_warning("a frame could not be sent: " + system_error_text(drain_->reason()) +
                  "; more may follow");
    }
    if (stop) {
      end = end ? end : Clock::now() + kFarewell;
      if (Clock::now() >= *end) {
        return;
      }
    }
  }
}

void RingToUdp::wait_for_frames() {
  if (*spin_) {
    return;
  }
  ring_->wait_at(RingEnd::Reader, this);
  if (!drain_->has_more()) {
    static_cast<void>(news_.try_acquire_for(std::chrono::nanoseconds(poll_interval_->nanoseconds)));
  }
}

std::vector<Discard> RingToUdp::discards() const {
  if (!drain_) {
    return {};
  }
  const std::uint64_t refused = drain_->refused();
  return {{refused, drain_->sent() + refused,
           "they could not be sent: " + system_error_text(drain_->reason())}};
}

}  // namespace gxr::cuda

#include "packets/udp_to_ring.hpp"

#include <algorithm>
#include <chrono>
#include <thread>

namespace gxr::cuda {
namespace {

using std::chrono::microseconds;
using std::chrono::nanoseconds;

constexpr std::uint64_t kUsualReceiveBuffer = 4U << 20U;
constexpr microseconds kLongestWait{100'000};
constexpr microseconds kShortestWait{1'000};
constexpr microseconds kRoomWait{50};

}  // namespace

void UdpToRing::declare(Interface& interface) {
  interface.parameter(ring_, "ring", "The ring that it fills");
  interface
      .parameter(address_, "address", "Address of this machine, or a multicast group that it joins",
                 "As numbers, IPv4 or IPv6. 0.0.0.0 and ::: all addresses of this machine.")
      .default_value("127.0.0.1");
  interface.parameter(port_, "port", "Port of UDP; 0: one that is free, which the log names");
  interface
      .parameter(interface_, "interface", "Network interface of a multicast group, such as eth0",
                 "Empty: the system chooses.")
      .default_value("");
  interface
      .parameter(frame_bytes_, "frame_bytes",
                 "Length of all datagrams; 0: any that the ring has room for",
                 "Datagrams of another length are counted, and do not reach the reader.")
      .default_value(0)
      .unit("bytes");
  interface
      .parameter(socket_buffer_, "socket_buffer", "Bytes that the kernel holds while the ring is full",
                 "More than net.core.rmem_max needs the rights of an administrator. 0: the "
                 "kernel's own choice.")
      .default_value(kUsualReceiveBuffer)
      .unit("bytes");
  interface
      .parameter(silence_, "silence",
                 "The stream has ended when nothing has come for so long after a datagram; 0: never")
      .default_value(Duration{0});
  interface
      .parameter(spin_, "spin", "Asks the socket without a pause, and takes a core for that",
                 "Saves the microseconds that waking a thread takes.")
      .default_value(false);
}

void UdpToRing::initialize() {
  if (*frame_bytes_ > ring_->frame_bytes()) {
    throw Error(ErrorCode::InvalidParameter,
                "'frame_bytes' is " + std::to_string(*frame_bytes_) + ", but the ring '" +
                    ring_->full_name() + "' has room for " + std::to_string(ring_->frame_bytes()));
  }
  const RingView ring = ring_->on_host();
  open_socket();
  ring_->take(RingEnd::Writer, *this);
  ring_word::store_release(ring.header->ended, 0U);
  filler_.emplace(socket_->descriptor(), ring, *frame_bytes_);
  thread_.start([this](const std::atomic<bool>& stop) { fill(stop); });
}

void UdpToRing::open_socket() {
  UdpSocket::Options options;
  options.interface = *interface_;
  options.buffer_bytes = *socket_buffer_;
  options.pause = kLongestWait;
  if (silence_->nanoseconds > 0) {
    const auto silence =
        std::chrono::duration_cast<microseconds>(nanoseconds(silence_->nanoseconds));
    options.pause = std::clamp(silence / 4, kShortestWait, kLongestWait);
  }
  socket_ = UdpSocket::receiver(UdpAddress("address", *address_, *port_), options);
  log_info("receives at " + socket_->local_address().text());
  // The kernel counts its own needs, as much again.
  if (const std::uint64_t bytes = socket_->buffer_bytes(true) / 2; bytes < *socket_buffer_) {
    log_debug("the kernel gives the socket a buffer of " + std::to_string(bytes) +
              " bytes only; net.core.rmem_max limits it");
  }
}

void UdpToRing::deinitialize() {
  thread_.tell_to_end();
  filler_->close();
  socket_->wake();
  ring_->give_up(RingEnd::Writer);
  thread_.join();
}

/// Readers know the end, whatever its reason.
void UdpToRing::fill(const std::atomic<bool>& stop) {
  try {
    fill_until(stop);
  } catch (const std::exception& error) {
    log_error(error.what());
    filler_->end();
    ring_->changed_by(RingEnd::Writer);
    throw;
  }
  filler_->end();
  ring_->changed_by(RingEnd::Writer);
}

void UdpToRing::fill_until(const std::atomic<bool>& stop) {
  const int flags = *spin_ ? MSG_DONTWAIT : MSG_WAITFORONE;
  while (!stop) {
    switch (filler_->fill(flags)) {
      case UdpFiller::Result::Received:
        ring_->changed_by(RingEnd::Writer);
        break;
      case UdpFiller::Result::Nothing:
        if (is_silent()) {
          return;
        }
        break;
      case UdpFiller::Result::NoRoom:  // the kernel's buffer holds what comes
        std::this_thread::sleep_for(kRoomWait);
        break;
    }
  }
}

bool UdpToRing::is_silent() const {
  if (silence_->nanoseconds == 0 || filler_->datagrams() == 0) {
    return false;
  }
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<nanoseconds>(now).count() - filler_->last_arrival_ns() >=
         silence_->nanoseconds;
}

std::vector<Discard> UdpToRing::discards() const {
  if (!filler_) {
    return {};
  }
  const std::uint64_t all = filler_->datagrams();
  const std::uint64_t unheard = socket_->kernel_drops();
  return {{filler_->too_long(), all,
           "they are longer than the " + std::to_string(ring_->frame_bytes()) +
               " bytes of the ring's frames"},
          {filler_->other_lengths(), all,
           "they are not " + std::to_string(*frame_bytes_) + " bytes long"},
          {unheard, all + unheard, "the socket's buffer had no room for them"}};
}

}  // namespace gxr::cuda

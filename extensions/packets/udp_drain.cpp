#include "packets/udp_drain.hpp"

#include <cerrno>

namespace gxr::cuda {

UdpDrain::UdpDrain(int socket, const RingView& ring) noexcept : socket_(socket), reader_(ring) {
  for (std::uint32_t i = 0; i < kMost; ++i) {
    datagrams_[i].msg_hdr.msg_iov = &places_[i];
    datagrams_[i].msg_hdr.msg_iovlen = 1;
  }
}

/// The frames up to the next void one.
std::uint32_t UdpDrain::collect() noexcept {
  static_cast<void>(reader_.peek());  // gives void ones back
  std::uint32_t count = 0;
  for (; count < kMost && count < reader_.ring().slots; ++count) {
    const RingFrame frame = reader_.look(count);
    if (!frame || frame.is_void) {
      break;
    }
    places_[count] = {const_cast<std::byte*>(frame.data), frame.length};
  }
  return count;
}

bool UdpDrain::drain() noexcept {
  const std::uint32_t count = collect();
  if (count == 0) {
    return false;
  }
  const int gone = ::sendmmsg(socket_, datagrams_.data(), count, 0);
  if (gone > 0) {
    reader_.take(static_cast<std::uint32_t>(gone));
    sent_ += static_cast<std::uint64_t>(gone);
    return true;
  }
  const std::uint64_t refused_before = refused_;
  note_error(gone < 0 ? errno : EAGAIN);
  return refused_ != refused_before;
}

void UdpDrain::note_error(int error) noexcept {
  if (error == EAGAIN || error == EWOULDBLOCK || error == EINTR || error == ENOBUFS) {
    return;  // later
  }
  if (error == ECONNREFUSED) {  // of a datagram before, this one was not tried
    ++unheard_;
    return;
  }
  reader_.take();
  reason_ = error;
  ++refused_;
}

}  // namespace gxr::cuda

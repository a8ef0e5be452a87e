#include "packets/udp_filler.hpp"

#include <cerrno>
#include <chrono>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::cuda {
namespace {

std::int64_t real_time_ns() {
  const auto now = std::chrono::system_clock::now().time_since_epoch();
  return std::chrono::duration_cast<std::chrono::nanoseconds>(now).count();
}

}  // namespace

UdpFiller::UdpFiller(int socket, const RingView& ring, std::uint32_t frame_bytes) noexcept
    : socket_(socket), frame_bytes_(frame_bytes), writer_(ring) {
  for (std::uint32_t i = 0; i < kMost; ++i) {
    places_[i].iov_len = ring.frame_bytes;
    datagrams_of_call_[i].msg_hdr.msg_iov = &places_[i];
    datagrams_of_call_[i].msg_hdr.msg_iovlen = 1;
  }
}

UdpFiller::Result UdpFiller::fill(int flags) {
  const std::uint32_t room = writer_.room(kMost);
  if (room == 0) {
    return Result::NoRoom;
  }
  for (std::uint32_t i = 0; i < room; ++i) {
    places_[i].iov_base = writer_.payload(i);
  }
  const int count_of_call = ::recvmmsg(socket_, datagrams_of_call_.data(), room, flags, nullptr);
  if (count_of_call < 0) {
    // Refused: what another socket of this port had sent did not arrive.
    if (errno == EAGAIN || errno == EWOULDBLOCK || errno == EINTR || errno == ECONNREFUSED) {
      return Result::Nothing;
    }
    throw Error(ErrorCode::InputOutput, "cannot receive: " + system_error_text(errno));
  }
  if (closed_) {
    return Result::Nothing;  // among them an empty one by which the kernel tells the end
  }
  last_arrival_ns_ = real_time_ns();
  for (int i = 0; i < count_of_call; ++i) {
    publish(datagrams_of_call_[static_cast<std::size_t>(i)]);
  }
  count(datagrams_, static_cast<std::uint64_t>(count_of_call));
  return count_of_call > 0 ? Result::Received : Result::Nothing;
}

void UdpFiller::publish(const mmsghdr& datagram) {
  const bool is_too_long = (datagram.msg_hdr.msg_flags & MSG_TRUNC) != 0;
  if (!is_too_long && (frame_bytes_ == 0 || datagram.msg_len == frame_bytes_)) {
    writer_.publish(datagram.msg_len, last_arrival_ns_);
    return;
  }
  count(is_too_long ? too_long_ : other_lengths_, 1);
  writer_.publish_void();
}

}  // namespace gxr::cuda

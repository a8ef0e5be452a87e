#include "packets/udp_socket.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <limits>

#include <linux/sock_diag.h>
#include <net/if.h>
#include <sys/time.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::cuda {
namespace {

constexpr int kOn = 1;

[[noreturn]] void fail(const std::string& what) {
  const int error = errno;
  throw Error(ErrorCode::InputOutput, what + ": " + system_error_text(error));
}

/// 0: any.
unsigned number_of_interface(const std::string& name) {
  if (name.empty()) {
    return 0;
  }
  const unsigned number = ::if_nametoindex(name.c_str());
  if (number == 0) {
    throw Error(ErrorCode::InvalidParameter,
                "'interface': there is no network interface '" + name + "'; 'ip link' lists them");
  }
  return number;
}

}  // namespace

UdpSocket::UdpSocket(const UdpAddress& address, const Options& options, bool receives)
    : file_(::socket(address.is_v6() ? AF_INET6 : AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0)) {
  if (!file_) {
    fail("a socket of UDP");
  }
  set_buffer(options.buffer_bytes, receives);
  const timeval pause{options.pause.count() / std::micro::den,
                      options.pause.count() % std::micro::den};
  set(SOL_SOCKET, receives ? SO_RCVTIMEO : SO_SNDTIMEO, pause, "the pause of a socket");
}

UdpSocket UdpSocket::receiver(const UdpAddress& address, const Options& options) {
  UdpSocket made(address, options, true);
  const unsigned interface = number_of_interface(options.interface);
  if (address.is_multicast()) {
    // Several programs of this machine may hear one group.
    made.set(SOL_SOCKET, SO_REUSEADDR, kOn, address.text());
  }
  if (::bind(made.descriptor(), address.get(), address.size()) != 0) {
    fail("cannot receive at " + address.text());
  }
  if (address.is_multicast()) {
    made.join(address, interface);
  }
  return made;
}

UdpSocket UdpSocket::sender(const UdpAddress& address, const Options& options) {
  UdpSocket made(address, options, false);
  const unsigned interface = number_of_interface(options.interface);
  if (address.is_multicast()) {
    made.send_from(address, interface, options.hops);
  }
  if (::connect(made.descriptor(), address.get(), address.size()) != 0) {
    fail("cannot send to " + address.text());
  }
  return made;
}

template <class T>
void UdpSocket::set(int level, int option, const T& value, const std::string& what) const {
  if (::setsockopt(descriptor(), level, option, &value, sizeof value) != 0) {
    fail(what);
  }
}

/// With the rights of an administrator beyond the machine's limit, else up to it.
void UdpSocket::set_buffer(std::uint64_t bytes, bool receives) const {
  if (bytes == 0) {
    return;
  }
  const int wanted =
      static_cast<int>(std::min<std::uint64_t>(bytes, std::numeric_limits<int>::max() / 2));
  if (::setsockopt(descriptor(), SOL_SOCKET, receives ? SO_RCVBUFFORCE : SO_SNDBUFFORCE, &wanted,
                   sizeof wanted) != 0) {
    set(SOL_SOCKET, receives ? SO_RCVBUF : SO_SNDBUF, wanted, "the buffer of a socket");
  }
}

void UdpSocket::join(const UdpAddress& group, unsigned interface) const {
  const std::string what = "cannot join the multicast group " + group.text();
  if (group.is_v6()) {
    set(IPPROTO_IPV6, IPV6_JOIN_GROUP, ipv6_mreq{group.v6(), interface}, what);
  } else {
    set(IPPROTO_IP, IP_ADD_MEMBERSHIP, ip_mreqn{group.v4(), {}, static_cast<int>(interface)}, what);
  }
}

void UdpSocket::send_from(const UdpAddress& group, unsigned interface, std::uint32_t hops) const {
  const std::string what = "cannot send to the multicast group " + group.text();
  const int most_hops = static_cast<int>(hops);
  if (group.is_v6()) {
    set(IPPROTO_IPV6, IPV6_MULTICAST_HOPS, most_hops, what);
    set(IPPROTO_IPV6, IPV6_MULTICAST_IF, interface, what);
  } else {
    set(IPPROTO_IP, IP_MULTICAST_TTL, most_hops, what);
    set(IPPROTO_IP, IP_MULTICAST_IF, ip_mreqn{{}, {}, static_cast<int>(interface)}, what);
  }
}

UdpAddress UdpSocket::local_address() const {
  sockaddr_storage address{};
  socklen_t size = sizeof address;
  if (::getsockname(descriptor(), reinterpret_cast<sockaddr*>(&address), &size) != 0) {
    fail("the address of a socket");
  }
  return UdpAddress(address);
}

std::uint64_t UdpSocket::kernel_drops() const noexcept {
  std::array<std::uint32_t, SK_MEMINFO_VARS> facts{};
  socklen_t size = sizeof facts;
  if (::getsockopt(descriptor(), SOL_SOCKET, SO_MEMINFO, facts.data(), &size) != 0) {
    return 0;
  }
  return facts[SK_MEMINFO_DROPS];
}

std::uint64_t UdpSocket::buffer_bytes(bool receives) const noexcept {
  int bytes = 0;
  socklen_t size = sizeof bytes;
  static_cast<void>(
      ::getsockopt(descriptor(), SOL_SOCKET, receives ? SO_RCVBUF : SO_SNDBUF, &bytes, &size));
  return static_cast<std::uint64_t>(std::max(bytes, 0));
}

void UdpSocket::wake() const noexcept {
  // It says that the socket is not connected, but does so.
  static_cast<void>(::shutdown(descriptor(), SHUT_RDWR));
}

}  // namespace gxr::cuda

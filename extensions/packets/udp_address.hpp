#pragma once

#include <cstdint>
#include <string>

#include <netinet/in.h>
#include <sys/socket.h>

namespace gxr::cuda {

/// An address of UDP, IPv4 or IPv6, written as numbers: names would have to be looked up.
class UdpAddress {
 public:
  /// Throws Error(InvalidParameter) that quotes `address`, the value of the parameter `key`.
  UdpAddress(const std::string& key, const std::string& address, std::uint16_t port);
  /// That of a socket.
  explicit UdpAddress(const sockaddr_storage& address) noexcept;

  [[nodiscard]] const sockaddr* get() const noexcept {
    return reinterpret_cast<const sockaddr*>(&address_);
  }
  [[nodiscard]] socklen_t size() const noexcept {
    return is_v6() ? sizeof(sockaddr_in6) : sizeof(sockaddr_in);
  }
  [[nodiscard]] bool is_v6() const noexcept { return address_.ss_family == AF_INET6; }
  [[nodiscard]] bool is_multicast() const noexcept;
  [[nodiscard]] const in_addr& v4() const noexcept {
    return reinterpret_cast<const sockaddr_in*>(&address_)->sin_addr;
  }
  [[nodiscard]] const in6_addr& v6() const noexcept {
    return reinterpret_cast<const sockaddr_in6*>(&address_)->sin6_addr;
  }
  /// "127.0.0.1:4000", "[::1]:4000"
  [[nodiscard]] std::string text() const;

 private:
  sockaddr_storage address_{};
};

}  // namespace gxr::cuda

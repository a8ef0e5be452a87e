#include "packets/udp_address.hpp"

#include <array>

#include <arpa/inet.h>

#include "gxr/error.hpp"

namespace gxr::cuda {

UdpAddress::UdpAddress(const std::string& key, const std::string& address, std::uint16_t port) {
  auto* const v4 = reinterpret_cast<sockaddr_in*>(&address_);
  auto* const v6 = reinterpret_cast<sockaddr_in6*>(&address_);
  if (::inet_pton(AF_INET, address.c_str(), &v4->sin_addr) == 1) {
    v4->sin_family = AF_INET;
    v4->sin_port = htons(port);
  } else if (::inet_pton(AF_INET6, address.c_str(), &v6->sin6_addr) == 1) {
    v6->sin6_family = AF_INET6;
    v6->sin6_port = htons(port);
  } else {
    throw Error(ErrorCode::InvalidParameter,
                "'" + key + "' is '" + address +
                    "', but an address of IPv4 or IPv6 is needed, such as 127.0.0.1 or ::1");
  }
}

UdpAddress::UdpAddress(const sockaddr_storage& address) noexcept : address_(address) {}

bool UdpAddress::is_multicast() const noexcept {
  return is_v6() ? IN6_IS_ADDR_MULTICAST(&v6()) : IN_MULTICAST(ntohl(v4().s_addr));
}

std::string UdpAddress::text() const {
  std::array<char, INET6_ADDRSTRLEN> buffer{};
  if (is_v6()) {
    const auto& address = *reinterpret_cast<const sockaddr_in6*>(&address_);
    ::inet_ntop(AF_INET6, &address.sin6_addr, buffer.data(), buffer.size());
    return "[" + std::string(buffer.data()) + "]:" + std::to_string(ntohs(address.sin6_port));
  }
  const auto& address = *reinterpret_cast<const sockaddr_in*>(&address_);
  ::inet_ntop(AF_INET, &address.sin_addr, buffer.data(), buffer.size());
  return std::string(buffer.data()) + ":" + std::to_string(ntohs(address.sin_port));
}

}  // namespace gxr::cuda

#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>

#include <sys/socket.h>

#include "internal_api.hpp"

namespace gxr {

/// An IPv4 or IPv6 address of a host, without a port.
struct HostAddress {
  std::uint16_t family = AF_UNSPEC;      ///< AF_INET or AF_INET6
  std::array<std::uint8_t, 16> bytes{};  ///< of the network; the first 4 of AF_INET

  GXR_INTERNAL_API static HostAddress loopback(int family);
  /// Of all interfaces.
  GXR_INTERNAL_API static HostAddress any(int family);
  /// "10.0.0.1", "fd00::1".
  [[nodiscard]] GXR_INTERNAL_API std::string text() const;
};

/// An address and a port as the system takes them.
class SocketAddress {
 public:
  GXR_INTERNAL_API SocketAddress(const HostAddress& address, std::uint16_t port);

  [[nodiscard]] const sockaddr* get() const noexcept {
    return reinterpret_cast<const sockaddr*>(&storage_);
  }
  [[nodiscard]] socklen_t size() const noexcept { return size_; }

 private:
  sockaddr_storage storage_{};
  socklen_t size_ = 0;
};

/// By what other ranks know and reach the host of a rank. They send it to each other as bytes.
struct RankHost {
  static constexpr std::size_t kMostAddresses = 16;

  std::array<char, 64> name{};
  std::array<char, 40> boot{};  ///< of its kernel
  std::uint64_t network = 0;    ///< of the network namespace
  std::uint16_t addresses = 0;  ///< how many of the next
  std::array<HostAddress, kMostAddresses> address{};

  /// This host, with the addresses of all interfaces that are up: IPv4 first, then IPv6. Without
  /// those that mean something to one host or to one link only.
  GXR_INTERNAL_API static RankHost own();

  void add(const HostAddress& another);
  [[nodiscard]] bool is_same(const RankHost& other) const {
    return boot == other.boot && network == other.network && name == other.name;
  }
  /// Of the same clocks, but perhaps another network namespace.
  [[nodiscard]] bool shares_kernel(const RankHost& other) const {
    return boot[0] != 0 && boot == other.boot && name == other.name;
  }
};

}  // namespace gxr

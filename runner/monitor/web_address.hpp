#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "ipc/file_descriptor.hpp"

namespace gxr {

/// Where a web server listens.
struct WebAddress {
  std::string host = "127.0.0.1";  ///< a name, or an address without brackets
  std::uint16_t port = 0;          ///< 0: any that is free
};

/// "[HOST:]PORT", with brackets around an address of IPv6. Throws Error(InvalidArgument).
WebAddress parse_web_address(std::string_view text);
/// "127.0.0.1:8080", "[::1]:8080".
std::string to_text(const WebAddress& address);

/// A TCP socket that listens.
class WebListener {
 public:
  /// Takes the first of the host's addresses. Throws Error(NotFound) for a host without one,
  /// Error(InvalidState) for a port in use, Error(InputOutput) for what else the system says.
  explicit WebListener(const WebAddress& address);

  /// With the port that the system chose.
  [[nodiscard]] const WebAddress& address() const noexcept { return address_; }
  [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }
  [[nodiscard]] bool is_ipv6() const noexcept { return ipv6_; }
  /// Do only processes of this machine reach it?
  [[nodiscard]] bool is_loopback() const noexcept { return loopback_; }
  /// Does it listen at all addresses of this machine?
  [[nodiscard]] bool is_wildcard() const noexcept { return wildcard_; }

 private:
  void take(const void* address, unsigned size);

  WebAddress address_;
  FileDescriptor socket_;
  bool ipv6_ = false;
  bool loopback_ = false;
  bool wildcard_ = false;
};

}  // namespace gxr

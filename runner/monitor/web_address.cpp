#include "monitor/web_address.hpp"

#include <algorithm>
#include <cerrno>
#include <charconv>
#include <memory>

#include <netdb.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

constexpr int kWaitingClients = 128;

[[noreturn]] void throw_no_address(std::string_view text, const std::string& why) {
  throw Error(ErrorCode::InvalidArgument, quote_text(text) + " " + why +
                                              ": write PORT or HOST:PORT, as in 8080, "
                                              "127.0.0.1:8080 or [::1]:8080");
}

std::uint16_t parse_port(std::string_view text, std::string_view port) {
  std::uint16_t number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error != std::errc() || end != port.data() + port.size()) {
    throw_no_address(text, "has no port from 0 to 65535");
  }
  return number;
}

using Addresses = std::unique_ptr<addrinfo, void (*)(addrinfo*)>;

Addresses find_addresses(const WebAddress& address) {
  addrinfo hints{};
  hints.ai_socktype = SOCK_STREAM;
  hints.ai_flags = AI_PASSIVE;
  addrinfo* found = nullptr;
  const int error =
      ::getaddrinfo(address.host.c_str(), std::to_string(address.port).c_str(), &hints, &found);
  if (error != 0) {
    throw Error(ErrorCode::NotFound,
                "there is no host " + quote_text(address.host) + ": " + ::gai_strerror(error));
  }
  return {found, ::freeaddrinfo};
}

bool is_loopback_address(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    const auto* const ip4 = reinterpret_cast<const sockaddr_in*>(address);
    return (ntohl(ip4->sin_addr.s_addr) >> 24U) == 127;
  }
  const auto* const ip6 = reinterpret_cast<const sockaddr_in6*>(address);
  return IN6_IS_ADDR_LOOPBACK(&ip6->sin6_addr);
}

bool is_wildcard_address(const sockaddr* address) {
  if (address->sa_family == AF_INET) {
    return reinterpret_cast<const sockaddr_in*>(address)->sin_addr.s_addr == INADDR_ANY;
  }
  const auto* const ip6 = reinterpret_cast<const sockaddr_in6*>(address);
  return IN6_IS_ADDR_UNSPECIFIED(&ip6->sin6_addr);
}

[[noreturn]] void throw_not_listening(const WebAddress& address, int error) {
  if (error == EADDRINUSE) {
    throw Error(ErrorCode::InvalidState, "port " + std::to_string(address.port) + " of " +
                                             address.host +
                                             " is in use: take another one, or 0 for any that is "
                                             "free");
  }
  throw Error(ErrorCode::InputOutput,
              "cannot listen at " + to_text(address) + ": " + system_error_text(error));
}

}  // namespace

WebAddress parse_web_address(std::string_view text) {
  WebAddress address;
  const std::size_t colon = text.rfind(':');
  if (colon == std::string_view::npos) {
    address.port = parse_port(text, text);
    return address;
  }
  address.port = parse_port(text, text.substr(colon + 1));
  std::string_view host = text.substr(0, colon);
  if (host.starts_with('[') && host.ends_with(']') && host.size() > 2) {
    host = host.substr(1, host.size() - 2);
  } else if (host.find(':') != std::string_view::npos) {
    throw_no_address(text, "has an address of IPv6 without brackets");
  }
  if (host.empty() || host.find_first_of("[]/@ ") != std::string_view::npos) {
    throw_no_address(text, "has no host before its colon");
  }
  address.host = host;
  return address;
}

std::string to_text(const WebAddress& address) {
  const bool ipv6 = address.host.find(':') != std::string::npos;
  return (ipv6 ? "[" + address.host + "]" : address.host) + ":" + std::to_string(address.port);
}

WebListener::WebListener(const WebAddress& address) : address_(address) {
  const Addresses found = find_addresses(address);
  take(found->ai_addr, found->ai_addrlen);
}

void WebListener::take(const void* address, unsigned size) {
  const auto* const target = static_cast<const sockaddr*>(address);
  ipv6_ = target->sa_family == AF_INET6;
  loopback_ = is_loopback_address(target);
  wildcard_ = is_wildcard_address(target);
  socket_ =
      FileDescriptor(::socket(target->sa_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0));
  const int on = 1;  // connections of a run before do not keep the port
  if (!socket_.is_open() ||
      ::setsockopt(socket_.get(), SOL_SOCKET, SO_REUSEADDR, &on, sizeof on) != 0 ||
      ::bind(socket_.get(), target, size) != 0 || ::listen(socket_.get(), kWaitingClients) != 0) {
    throw_not_listening(address_, errno);
  }
  sockaddr_storage own{};
  socklen_t own_size = sizeof own;
  if (::getsockname(socket_.get(), reinterpret_cast<sockaddr*>(&own), &own_size) != 0) {
    throw_not_listening(address_, errno);
  }
  // The port is at the same place for both families.
  address_.port = ntohs(reinterpret_cast<const sockaddr_in*>(&own)->sin_port);
}

}  // namespace gxr

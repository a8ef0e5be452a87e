#include "media/rtsp_address.hpp"

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <string_view>
#include <system_error>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr::media {
namespace {

constexpr std::string_view kRtsp = "rtsp://";

bool is_name(std::string_view text, std::string_view others) {
  return !text.empty() && std::ranges::all_of(text, [&](char c) {
    return is_letter(c) || is_digit(c) || others.find(c) != std::string_view::npos;
  });
}

/// "name:port" or "[::1]:port", without the port.
std::string_view host_in(std::string_view authority) {
  return authority.substr(0, authority.rfind(':'));
}

bool read_port(std::string_view authority, std::uint16_t& port) {
  const std::size_t colon = authority.rfind(':');
  if (colon == std::string_view::npos) {
    return false;
  }
  const std::string_view digits = authority.substr(colon + 1);
  const char* const end = digits.data() + digits.size();
  const auto [read, error] = std::from_chars(digits.data(), end, port);
  return error == std::errc() && read == end;
}

bool read_host(std::string_view host, std::string& name) {
  const bool in_brackets = host.size() > 2 && host.starts_with('[') && host.ends_with(']');
  name = in_brackets ? host.substr(1, host.size() - 2) : host;
  return in_brackets ? is_name(name, ":.") : is_name(name, "-.");
}

}  // namespace

RtspAddress parse_rtsp_address(const std::string& uri) {
  RtspAddress address;
  std::string_view rest = uri;
  const bool is_rtsp = rest.starts_with(kRtsp);
  rest.remove_prefix(is_rtsp ? kRtsp.size() : 0);
  const std::size_t slash = std::min(rest.find('/'), rest.size());
  const std::string_view authority = rest.substr(0, slash);
  address.path = rest.substr(slash);
  if (!is_rtsp || !read_port(authority, address.port) ||
      !read_host(host_in(authority), address.host) || address.path.size() < 2 ||
      !is_name(address.path, "/-._~")) {
    throw Error(
        ErrorCode::InvalidParameter,
        "'uri': a Sink serves rtsp://HOST:PORT/NAME, for example "
        "rtsp://127.0.0.1:8554/live; HOST 0.0.0.0 lets other machines connect. screen:// shows "
        "the pictures");
  }
  return address;
}

std::string text_of(const RtspAddress& address) {
  const bool is_ipv6 = address.host.find(':') != std::string::npos;
  return std::string(kRtsp) + (is_ipv6 ? "[" + address.host + "]" : address.host) + ":" +
         std::to_string(address.port) + address.path;
}

bool is_loopback(const RtspAddress& address) {
  const auto is_of_number = [](char c) { return is_digit(c) || c == '.'; };
  return address.host == "localhost" || address.host == "::1" ||
         (address.host.starts_with("127.") && std::ranges::all_of(address.host, is_of_number));
}

}  // namespace gxr::media

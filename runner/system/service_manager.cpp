#include "system/service_manager.hpp"

#include <cerrno>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <system_error>

#include <unistd.h>

#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

std::string_view variable(const char* name) noexcept {
  const char* const value = std::getenv(name);
  return value != nullptr ? std::string_view(value) : std::string_view();
}

/// 0 when the variable has no such number.
std::int64_t number_in(const char* name) noexcept {
  const std::string_view text = variable(name);
  std::int64_t number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  return error == std::errc() && end == text.data() + text.size() && number > 0 ? number : 0;
}

std::chrono::microseconds watchdog_of_process() noexcept {
  const std::int64_t process = number_in("WATCHDOG_PID");
  const bool is_meant = process == 0 || process == ::getpid();
  return std::chrono::microseconds(is_meant ? number_in("WATCHDOG_USEC") : 0);
}

}  // namespace

bool has_service_manager() noexcept { return !variable("NOTIFY_SOCKET").empty(); }

ServiceManager::ServiceManager() : watchdog_(watchdog_of_process()) {
  const std::string_view name = variable("NOTIFY_SOCKET");
  const bool is_abstract = name.starts_with('@');
  if (!is_abstract && !name.starts_with('/')) {
    throw Error(ErrorCode::InvalidArgument,
                "NOTIFY_SOCKET is neither an absolute path nor '@' and a name");
  }
  if (name.size() >= sizeof(address_.sun_path)) {
    throw Error(ErrorCode::InvalidArgument, "NOTIFY_SOCKET has more than 107 bytes");
  }
  address_.sun_family = AF_UNIX;
  std::memcpy(address_.sun_path, name.data(), name.size());
  size_ = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name.size());
  if (is_abstract) {
    address_.sun_path[0] = '\0';
  } else {
    ++size_;  // the NUL behind a path
  }
  socket_ = ::socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (socket_ < 0) {
    throw Error(ErrorCode::OutOfMemory,
                "no socket for the service manager: " + system_error_text(errno));
  }
}

ServiceManager::~ServiceManager() { ::close(socket_); }

bool ServiceManager::tell(std::string_view state) const noexcept {
  const auto* const address = reinterpret_cast<const sockaddr*>(&address_);
  return ::sendto(socket_, state.data(), state.size(), MSG_DONTWAIT | MSG_NOSIGNAL, address,
                  size_) == static_cast<ssize_t>(state.size());
}

}  // namespace gxr

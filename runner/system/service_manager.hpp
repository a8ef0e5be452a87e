#pragma once

#include <chrono>
#include <string>
#include <string_view>

#include <sys/socket.h>
#include <sys/un.h>

#include "internal_api.hpp"

namespace gxr {

/// Did a service manager start this process, that is, does NOTIFY_SOCKET have a value?
[[nodiscard]] GXR_INTERNAL_API bool has_service_manager() noexcept;

/// The service manager that started this process, such as systemd, in the protocol of sd_notify(3):
/// datagrams to the socket that NOTIFY_SOCKET names, a path or "@" and an abstract name.
class ServiceManager {
 public:
  /// Throws Error(InvalidArgument) when the name is of another kind or too long, Error(OutOfMemory)
  /// when there is no file descriptor.
  GXR_INTERNAL_API ServiceManager();
  ServiceManager(const ServiceManager&) = delete;
  ServiceManager& operator=(const ServiceManager&) = delete;
  GXR_INTERNAL_API ~ServiceManager();

  /// How long it waits for the next "WATCHDOG=1", by WATCHDOG_USEC and WATCHDOG_PID; 0: it does not
  /// wait for any.
  [[nodiscard]] std::chrono::microseconds watchdog() const noexcept { return watchdog_; }
  /// Tells "READY=1", or several such lines. Does not wait: false when it could not be told now.
  GXR_INTERNAL_API bool tell(std::string_view state) const noexcept;

 private:
  sockaddr_un address_{};
  socklen_t size_ = 0;  // bytes of address_ that count
  int socket_ = -1;
  std::chrono::microseconds watchdog_{0};
};

}  // namespace gxr

#include "system/service_manager.hpp"

#include <array>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <optional>
#include <string>

#include <unistd.h>

#include "catch.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

/// A service manager that only listens; an abstract name begins with '@'.
class Listener {
 public:
  explicit Listener(std::string name)
      : name_(std::move(name)), socket_(::socket(AF_UNIX, SOCK_DGRAM | SOCK_NONBLOCK, 0)) {
    sockaddr_un address{};
    address.sun_family = AF_UNIX;
    std::memcpy(address.sun_path, name_.data(), name_.size());
    const bool is_abstract = name_.front() == '@';
    address.sun_path[0] = is_abstract ? '\0' : name_.front();
    const auto size = static_cast<socklen_t>(offsetof(sockaddr_un, sun_path) + name_.size() +
                                             (is_abstract ? 0 : 1));
    REQUIRE(::bind(socket_, reinterpret_cast<const sockaddr*>(&address), size) == 0);
    ::setenv("NOTIFY_SOCKET", name_.c_str(), 1);
  }
  Listener(const Listener&) = delete;
  Listener& operator=(const Listener&) = delete;
  ~Listener() {
    ::close(socket_);
    ::unsetenv("NOTIFY_SOCKET");
    std::error_code ignored;
    std::filesystem::remove(name_, ignored);
  }
  /// The next datagram; empty: there is none.
  [[nodiscard]] std::string heard() const {
    std::array<char, 100> buffer{};
    const ssize_t size = ::recv(socket_, buffer.data(), buffer.size(), 0);
    return size > 0 ? std::string(buffer.data(), static_cast<std::size_t>(size)) : std::string();
  }

 private:
  std::string name_;
  int socket_;
};

TEST_CASE("a service manager is told through the socket that it names") {
  const std::string process = std::to_string(::getpid());
  const std::string path =
      (std::filesystem::temp_directory_path() / ("gxr-notify-" + process)).string();
  for (const std::string& name : {path, "@gxr-notify-" + process}) {
    CAPTURE(name);
    const Listener listener(name);
    CHECK(has_service_manager());
    const ServiceManager manager;
    CHECK(manager.watchdog().count() == 0);
    CHECK(manager.tell("READY=1"));
    CHECK(listener.heard() == "READY=1");
  }
  CHECK_FALSE(has_service_manager());
}

TEST_CASE("nobody waits for a service manager that does not read, or has gone") {
  const std::string name = "@gxr-full-" + std::to_string(::getpid());
  std::optional<Listener> listener(name);
  const ServiceManager manager;
  int told = 0;
  while (manager.tell("WATCHDOG=1")) {
    REQUIRE(++told < 100000);
  }
  CHECK(told > 0);
  listener.reset();
  CHECK_FALSE(manager.tell("WATCHDOG=1"));
}

TEST_CASE("the watchdog's time is for the process that it names") {
  ::setenv("NOTIFY_SOCKET", "@gxr", 1);
  ::setenv("WATCHDOG_USEC", "2500000", 1);
  CHECK(ServiceManager().watchdog() == std::chrono::milliseconds(2500));
  ::setenv("WATCHDOG_PID", std::to_string(::getpid()).c_str(), 1);
  CHECK(ServiceManager().watchdog() == std::chrono::milliseconds(2500));
  ::setenv("WATCHDOG_PID", "1", 1);
  CHECK(ServiceManager().watchdog().count() == 0);
  ::unsetenv("WATCHDOG_PID");
  for (const char* wrong : {"", "soon", "-5", "2.5"}) {
    ::setenv("WATCHDOG_USEC", wrong, 1);
    CHECK(ServiceManager().watchdog().count() == 0);
  }
  ::unsetenv("WATCHDOG_USEC");
  ::unsetenv("NOTIFY_SOCKET");
}

TEST_CASE("names that are no address of a socket are refused") {
  for (const std::string& wrong : {std::string("relative"), std::string("vsock:2:1234"),
                                   "/" + std::string(107, 'x'), "@" + std::string(107, 'x')}) {
    ::setenv("NOTIFY_SOCKET", wrong.c_str(), 1);
    CHECK_THROWS_AS(ServiceManager(), Error);
  }
  ::unsetenv("NOTIFY_SOCKET");
}

}  // namespace
}  // namespace gxr

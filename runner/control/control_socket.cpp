#include "control/control_socket.hpp"

#include <algorithm>
#include <array>
#include <cerrno>
#include <climits>
#include <cstdint>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

LocalAddress control_address(std::string path) { return {std::move(path), "control socket"}; }

/// A moment after which nobody waits any more.
class Deadline {
 public:
  explicit Deadline(std::chrono::milliseconds patience) : patience_(patience) {}

  /// Waits until something can be done with the socket. Throws Error(NotFinished).
  void wait(const FileDescriptor& socket, short events, const LocalAddress& address) const {
    pollfd event{socket.get(), events, 0};
    int ready = 0;
    do {
      ready = ::poll(&event, 1, milliseconds_left());
    } while (ready < 0 && errno == EINTR);
    if (ready == 0) {
      pass(address);
    }
  }
  [[noreturn]] void pass(const LocalAddress& address) const {
    throw Error(ErrorCode::NotFinished,
                address.called() + ": no answer within " + patience_text() +
                    " (--timeout); the application may still do what it was asked");
  }
  [[nodiscard]] bool is_over() const { return patience_.count() > 0 && milliseconds_left() == 0; }

 private:
  [[nodiscard]] std::string patience_text() const {
    const std::int64_t ms = patience_.count();
    return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
  }
  /// For poll(): -1 is without end.
  [[nodiscard]] int milliseconds_left() const {
    if (patience_.count() == 0) {
      return -1;
    }
    const auto left = std::chrono::ceil<std::chrono::milliseconds>(
        begin_ + patience_ - std::chrono::steady_clock::now());
    return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, INT_MAX));
  }

  std::chrono::milliseconds patience_;
  std::chrono::steady_clock::time_point begin_ = std::chrono::steady_clock::now();
};

bool would_wait(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

void send_all(const FileDescriptor& socket, std::string_view text, const LocalAddress& address,
              const Deadline& deadline) {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL);
    if (sent >= 0) {
      text.remove_prefix(static_cast<std::size_t>(sent));
    } else if (would_wait(errno)) {
      deadline.wait(socket, POLLOUT, address);
    } else if (errno != EINTR) {
      return;  // the other side has closed, perhaps after it has said why
    }
  }
}

/// A line, or what came before the other side closed or had said too much.
std::string receive_line(const FileDescriptor& socket, const LocalAddress& address,
                         const Deadline& deadline) {
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    deadline.wait(socket, POLLIN, address);
    const ssize_t size = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
    if (size > 0) {
      const std::string_view more(buffer.data(), static_cast<std::size_t>(size));
      text += more;
      if (more.find('\n') != std::string_view::npos || text.size() > kLongestRequest) {
        return text.substr(0, text.find('\n'));
      }
    } else if (size == 0 || (errno != EINTR && !would_wait(errno))) {
      return text;
    }
  }
}

/// A full queue of clients, which a process that accepts nobody has, is waited for, too.
int connect_in_time(const LocalAddress& address, const FileDescriptor& socket,
                    const Deadline& deadline) {
  constexpr std::chrono::milliseconds kPause{10};
  int error = address.connect_patiently(socket);
  while (would_wait(error)) {
    if (deadline.is_over()) {
      deadline.pass(address);
    }
    std::this_thread::sleep_for(kPause);
    error = address.connect(socket);
  }
  return error;
}

[[noreturn]] void throw_not_connected(const LocalAddress& address, int error) {
  const std::string& path = address.path();
  struct stat file {};
  const bool exists = ::stat(path.c_str(), &file) == 0;
  if (error == ENOENT || error == ENOTDIR) {
    throw Error(ErrorCode::NotFound,
                address.called() + " does not exist: does an application run with '--control " +
                    path + "'?");
  }
  if (error == ECONNREFUSED && exists && S_ISSOCK(file.st_mode)) {
    throw Error(ErrorCode::NotFound,
                "nobody listens at " + address.called() + ": the application has ended");
  }
  if (exists && !S_ISSOCK(file.st_mode)) {
    throw Error(ErrorCode::NotFound, quote_text(path) + " is no socket");
  }
  throw Error(ErrorCode::InputOutput, address.called() + ": " + system_error_text(error));
}

}  // namespace

ControlSocket::ControlSocket(std::string path) : LocalSocket(control_address(std::move(path))) {}

std::string usual_control_path() {
  const char* const folder = std::getenv("XDG_RUNTIME_DIR");
  return folder != nullptr && *folder != 0 ? std::string(folder) + "/gxr.sock"
                                           : "/tmp/gxr-" + std::to_string(::getuid()) + ".sock";
}

void send_request(const std::string& path, const ControlRequest& request,
                  std::chrono::milliseconds patience) {
  const std::string line = to_line(request);
  const LocalAddress address = control_address(path);
  const FileDescriptor socket = address.make_socket(SOCK_NONBLOCK);
  const Deadline deadline(patience);
  if (const int error = connect_in_time(address, socket, deadline); error != 0) {
    throw_not_connected(address, error);
  }
  if (!is_of_same_user(socket)) {
    throw Error(ErrorCode::InvalidArgument, address.called() + " is another user's");
  }
  send_all(socket, line, address, deadline);
  const std::string answer = receive_line(socket, address, deadline);
  if (answer.empty()) {
    throw Error(ErrorCode::InvalidState, "the application has ended before it answered");
  }
  require_success(answer);
}

}  // namespace gxr

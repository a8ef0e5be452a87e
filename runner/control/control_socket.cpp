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

#include <nlohmann/json.hpp>
#include <poll.h>
#include <sys/socket.h>
#include <unistd.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

LocalAddress control_address(std::string path) { return {std::move(path), "control socket"}; }

bool would_wait(int error) { return error == EAGAIN || error == EWOULDBLOCK; }

void send_all(const FileDescriptor& socket, std::string_view text, const LocalAddress& address,
              const ControlDeadline& deadline) {
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

/// A full queue of clients, which a process that accepts nobody has, is waited for, too.
int connect_in_time(const LocalAddress& address, const FileDescriptor& socket,
                    const ControlDeadline& deadline) {
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

bool has_listener(const std::string& path) {
  struct stat file {};
  if (::lstat(path.c_str(), &file) != 0 || !S_ISSOCK(file.st_mode)) {
    return false;
  }
  try {
    return is_listened_at(control_address(path));
  } catch (const Error&) {  // the path is too long, or there is no socket to ask with
    return false;
  }
}

ControlDeadline::ControlDeadline(std::chrono::milliseconds patience)
    : patience_(patience), begin_(std::chrono::steady_clock::now()) {}

void ControlDeadline::wait(const FileDescriptor& socket, short events,
                           const LocalAddress& address) const {
  pollfd event{socket.get(), events, 0};
  int ready = 0;
  do {
    ready = ::poll(&event, 1, milliseconds_left());
  } while (ready < 0 && errno == EINTR);
  if (ready == 0) {
    pass(address);
  }
}

void ControlDeadline::pass(const LocalAddress& address) const {
  throw Error(ErrorCode::NotFinished,
              address.called() + ": no answer within " + patience_text() +
                  " (--timeout); the application may still do what it was asked");
}

bool ControlDeadline::is_over() const { return patience_.count() > 0 && milliseconds_left() == 0; }

std::string ControlDeadline::patience_text() const {
  const std::int64_t ms = patience_.count();
  return ms % 1000 == 0 ? std::to_string(ms / 1000) + " s" : std::to_string(ms) + " ms";
}

int ControlDeadline::milliseconds_left() const {
  if (patience_.count() == 0) {
    return -1;
  }
  const auto left = std::chrono::ceil<std::chrono::milliseconds>(begin_ + patience_ -
                                                                 std::chrono::steady_clock::now());
  return static_cast<int>(std::clamp<std::int64_t>(left.count(), 0, INT_MAX));
}

ControlCall::ControlCall(const std::string& path, const ControlRequest& request,
                         const ControlDeadline& deadline)
    : address_(control_address(path)),
      longest_(request.question == ControlRequest::Question::None ? kLongestRequest
                                                                  : kLongestAnswer) {
  const std::string line = to_line(request);
  socket_ = address_.make_socket(SOCK_NONBLOCK);
  if (const int error = connect_in_time(address_, socket_, deadline); error != 0) {
    throw_not_connected(address_, error);
  }
  if (!is_of_same_user(socket_)) {
    throw Error(ErrorCode::InvalidArgument, address_.called() + " is another user's");
  }
  send_all(socket_, line, address_, deadline);
}

/// A line, or with `all` what comes until the other side closes; no more than it may say. Throws
/// Error(InvalidState) when there is no whole line.
std::string ControlCall::receive(const ControlDeadline& deadline, bool all) const {
  std::string text;
  std::array<char, std::size_t{64} << 10> buffer;
  for (bool open = true; open && text.size() <= longest_;) {
    deadline.wait(socket_, POLLIN, address_);
    const ssize_t size = ::recv(socket_.get(), buffer.data(), buffer.size(), 0);
    open = size > 0 || (size < 0 && (errno == EINTR || would_wait(errno)));
    if (size > 0) {
      const std::string_view more(buffer.data(), static_cast<std::size_t>(size));
      text += more;
      open = all || more.find('\n') == std::string_view::npos;
    }
  }
  if (text.find('\n') == std::string::npos && text.size() <= longest_) {
    throw Error(ErrorCode::InvalidState, "the application has ended before it answered");
  }
  return text;
}

nlohmann::json ControlCall::answer(const ControlDeadline& deadline) const {
  const std::string text = receive(deadline, false);
  return require_success(std::string_view(text).substr(0, text.find('\n')));
}

std::string ControlCall::text(const ControlDeadline& deadline) const {
  std::string text = receive(deadline, true);
  const std::size_t line = std::min(text.find('\n'), text.size());
  const nlohmann::json size = require_success(std::string_view(text).substr(0, line));
  if (line == text.size() || size != text.size() - line - 1) {
    throw Error(ErrorCode::InvalidState, "the application has ended before it had answered");
  }
  return text.erase(0, line + 1);
}

nlohmann::json send_request(const std::string& path, const ControlRequest& request,
                            std::chrono::milliseconds patience) {
  const ControlDeadline deadline(patience);
  return ControlCall(path, request, deadline).answer(deadline);
}

}  // namespace gxr

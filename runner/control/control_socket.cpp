#include "control/control_socket.hpp"

#include <array>
#include <cerrno>
#include <cstdlib>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>

#include <sys/socket.h>
#include <unistd.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

LocalAddress control_address(std::string path) { return {std::move(path), "control socket"}; }

void send_all(const FileDescriptor& socket, std::string_view text) {
  while (!text.empty()) {
    const ssize_t sent = ::send(socket.get(), text.data(), text.size(), MSG_NOSIGNAL);
    if (sent < 0 && errno != EINTR) {
      return;  // the other side has closed, perhaps after it has said why
    }
    text.remove_prefix(sent < 0 ? 0 : static_cast<std::size_t>(sent));
  }
}

std::string receive_all(const FileDescriptor& socket) {
  std::string text;
  std::array<char, 4096> buffer;
  for (;;) {
    const ssize_t size = ::recv(socket.get(), buffer.data(), buffer.size(), 0);
    if (size > 0 && text.size() < kLongestRequest) {
      text.append(buffer.data(), static_cast<std::size_t>(size));
    } else if (size >= 0 || errno != EINTR) {
      return text;
    }
  }
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
  throw Error(ErrorCode::InputOutput,
              address.called() + ": " + std::generic_category().message(error));
}

}  // namespace

ControlSocket::ControlSocket(std::string path) : LocalSocket(control_address(std::move(path))) {}

std::string usual_control_path() {
  const char* const folder = std::getenv("XDG_RUNTIME_DIR");
  return folder != nullptr && *folder != 0 ? std::string(folder) + "/gxr.sock"
                                           : "/tmp/gxr-" + std::to_string(::getuid()) + ".sock";
}

void send_request(const std::string& path, const ControlRequest& request) {
  const std::string line = to_line(request);
  const LocalAddress address = control_address(path);
  const FileDescriptor socket = address.make_socket(0);
  if (const int error = address.connect_patiently(socket); error != 0) {
    throw_not_connected(address, error);
  }
  if (!is_of_same_user(socket)) {
    throw Error(ErrorCode::InvalidArgument, address.called() + " is another user's");
  }
  send_all(socket, line);
  const std::string answer = receive_all(socket);
  if (answer.empty()) {
    throw Error(ErrorCode::InvalidState, "the application has ended before it answered");
  }
  require_success(answer);
}

}  // namespace gxr

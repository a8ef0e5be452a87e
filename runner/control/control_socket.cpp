#include "control/control_socket.hpp"

#include <array>
#include <cerrno>
#include <chrono>
#include <cstring>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"

namespace gxr {
namespace {

constexpr int kWaitingClients = 64;
constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

std::string reason(int error) { return std::generic_category().message(error); }

std::string called(const std::string& path) { return "control socket " + quote_text(path); }

/// Throws Error(InvalidArgument) for a path that the system's structure has no room for.
sockaddr_un address_of(const std::string& path) {
  sockaddr_un address{};
  address.sun_family = AF_UNIX;
  if (path.empty() || path.size() >= sizeof(address.sun_path)) {
    throw Error(ErrorCode::InvalidArgument,
                called(path) + ": the path has " + std::to_string(path.size()) +
                    " bytes, and may have 1 to " + std::to_string(sizeof(address.sun_path) - 1) +
                    " (a path from the working folder may be shorter)");
  }
  std::memcpy(address.sun_path, path.data(), path.size());
  return address;
}

FileDescriptor make_socket(const std::string& path, int flags) {
  FileDescriptor made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
  if (!made.is_open()) {
    throw Error(ErrorCode::InputOutput, called(path) + ": " + reason(errno));
  }
  return made;
}

/// 0 or errno.
int result(int returned) { return returned == 0 ? 0 : errno; }

int connect_to(const FileDescriptor& socket, const sockaddr_un& address) {
  int error = 0;
  do {
    error = result(
        ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)));
  } while (error == EINTR);
  return error;
}

int bind_to(const FileDescriptor& socket, const sockaddr_un& address) {
  return result(::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address), sizeof(address)));
}

/// While it lives, no other process that does the same looks at sockets of this folder: what one
/// has bound and does not listen at yet would seem stale. Nobody is to hang for it, though.
FileDescriptor lock_folder_of(const std::string& path) {
  constexpr int kTries = 100;
  constexpr std::chrono::milliseconds kPause{10};
  const std::size_t slash = path.rfind('/');
  const std::string folder = slash == std::string::npos ? "." : path.substr(0, slash + 1);
  FileDescriptor opened(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  for (int i = 0; i < kTries && ::flock(opened.get(), LOCK_EX | LOCK_NB) != 0; ++i) {
    if (errno != EWOULDBLOCK) {
      break;
    }
    std::this_thread::sleep_for(kPause);
  }
  return opened;
}

/// Takes away what a process left that was killed. Throws for anything else.
void remove_stale(const std::string& path, const sockaddr_un& address) {
  struct stat file {};
  if (::lstat(path.c_str(), &file) != 0) {
    return;  // gone meanwhile
  }
  if (!S_ISSOCK(file.st_mode)) {
    throw Error(ErrorCode::InvalidState,
                called(path) + ": a file of that name exists, and is no socket");
  }
  const int error = connect_to(make_socket(path, SOCK_NONBLOCK), address);
  if (error == ECONNREFUSED) {
    ::unlink(path.c_str());
  } else if (error == 0 || error == EAGAIN) {
    throw Error(ErrorCode::InvalidState,
                called(path) + ": another application that runs listens there");
  } else if (error != ENOENT) {
    throw Error(ErrorCode::InputOutput, called(path) + ": " + reason(error));
  }
}

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

[[noreturn]] void throw_not_connected(const std::string& path, int error) {
  struct stat file {};
  const bool exists = ::stat(path.c_str(), &file) == 0;
  if (error == ENOENT || error == ENOTDIR) {
    throw Error(
        ErrorCode::NotFound,
        called(path) + " does not exist: does an application run with '--control " + path + "'?");
  }
  if (error == ECONNREFUSED && exists && S_ISSOCK(file.st_mode)) {
    throw Error(ErrorCode::NotFound,
                "nobody listens at " + called(path) + ": the application has ended");
  }
  if (exists && !S_ISSOCK(file.st_mode)) {
    throw Error(ErrorCode::NotFound, quote_text(path) + " is no socket");
  }
  throw Error(ErrorCode::InputOutput, called(path) + ": " + reason(error));
}

}  // namespace

ControlSocket::ControlSocket(std::string path) : path_(std::move(path)) {
  const sockaddr_un address = address_of(path_);
  FileDescriptor made = make_socket(path_, SOCK_NONBLOCK);
  const FileDescriptor lock = lock_folder_of(path_);
  // The file gets the mode of the socket, so nobody else can open it at any moment.
  int error = result(::fchmod(made.get(), kOwnerOnly));
  if (error == 0) {
    error = bind_to(made, address);
  }
  if (error == EADDRINUSE) {
    remove_stale(path_, address);
    error = bind_to(made, address);
  }
  if (error == 0) {
    static_cast<void>(::lstat(path_.c_str(), &file_));
    socket_ = std::move(made);
    error = result(::listen(socket_.get(), kWaitingClients));
  }
  if (error != 0) {
    throw Error(ErrorCode::InputOutput, called(path_) + ": " + reason(error));
  }
}

ControlSocket::~ControlSocket() {
  struct stat file {};
  // Somebody may have put another file there.
  if (::lstat(path_.c_str(), &file) == 0 && file.st_dev == file_.st_dev &&
      file.st_ino == file_.st_ino) {
    ::unlink(path_.c_str());
  }
}

FileDescriptor ControlSocket::accept() const {
  return FileDescriptor(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

void send_request(const std::string& path, const ControlRequest& request) {
  const std::string line = to_line(request);
  const FileDescriptor socket = make_socket(path, 0);
  if (const int error = connect_to(socket, address_of(path)); error != 0) {
    throw_not_connected(path, error);
  }
  send_all(socket, line);
  const std::string answer = receive_all(socket);
  if (answer.empty()) {
    throw Error(ErrorCode::InvalidState, "the application has ended before it answered");
  }
  require_success(answer);
}

}  // namespace gxr

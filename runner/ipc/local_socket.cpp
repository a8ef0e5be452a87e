#include "ipc/local_socket.hpp"

#include <cerrno>
#include <chrono>
#include <cstring>
#include <system_error>
#include <thread>
#include <utility>

#include <fcntl.h>
#include <sys/file.h>
#include <sys/socket.h>

#include "document/utf8.hpp"
#include "gxr/error.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {
namespace {

constexpr int kWaitingClients = 64;
constexpr mode_t kOwnerOnly = S_IRUSR | S_IWUSR;

std::string reason(int error) { return system_error_text(error); }

/// 0 or errno.
int result(int returned) { return returned == 0 ? 0 : errno; }

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
void remove_stale(const LocalAddress& address) {
  struct stat file {};
  if (::lstat(address.path().c_str(), &file) != 0) {
    return;  // gone meanwhile
  }
  if (!S_ISSOCK(file.st_mode)) {
    throw Error(ErrorCode::InvalidState,
                address.called() + ": a file of that name exists, and is no socket");
  }
  const int error = address.connect(address.make_socket(SOCK_NONBLOCK));
  if (error == ECONNREFUSED) {
    ::unlink(address.path().c_str());
  } else if (error == 0 || error == EAGAIN) {
    throw Error(ErrorCode::InvalidState,
                address.called() + ": another application that runs listens there");
  } else if (error != ENOENT) {
    throw Error(ErrorCode::InputOutput, address.called() + ": " + reason(error));
  }
}

}  // namespace

LocalAddress::LocalAddress(std::string path, std::string role)
    : path_(std::move(path)), role_(std::move(role)) {
  address_.sun_family = AF_UNIX;
  if (path_.empty() || path_.size() >= sizeof(address_.sun_path)) {
    throw Error(ErrorCode::InvalidArgument,
                called() + ": the path has " + std::to_string(path_.size()) +
                    " bytes, and may have 1 to " + std::to_string(sizeof(address_.sun_path) - 1) +
                    " (a path from the working folder may be shorter)");
  }
  if (path_.find('\0') != std::string::npos) {
    throw Error(ErrorCode::InvalidArgument, called() + ": the path has a NUL byte");
  }
  std::memcpy(address_.sun_path, path_.data(), path_.size());
}

std::string LocalAddress::called() const { return role_ + " " + quote_text(path_); }

FileDescriptor LocalAddress::make_socket(int flags) const {
  FileDescriptor made(::socket(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC | flags, 0));
  if (!made.is_open()) {
    throw Error(ErrorCode::InputOutput, called() + ": " + reason(errno));
  }
  return made;
}

int LocalAddress::connect(const FileDescriptor& socket) const {
  int error = 0;
  do {
    error = result(
        ::connect(socket.get(), reinterpret_cast<const sockaddr*>(&address_), sizeof(address_)));
  } while (error == EINTR);
  return error;
}

int LocalAddress::connect_patiently(const FileDescriptor& socket) const {
  constexpr int kTries = 20;
  constexpr std::chrono::milliseconds kPause{10};
  int error = connect(socket);
  for (int i = 0; i < kTries && error == ECONNREFUSED; ++i) {
    std::this_thread::sleep_for(kPause);
    error = connect(socket);
  }
  return error;
}

int LocalAddress::bind(const FileDescriptor& socket) const {
  return result(
      ::bind(socket.get(), reinterpret_cast<const sockaddr*>(&address_), sizeof(address_)));
}

LocalSocket::LocalSocket(LocalAddress address) : address_(std::move(address)) {
  FileDescriptor made = address_.make_socket(SOCK_NONBLOCK);
  const FileDescriptor lock = lock_folder_of(address_.path());
  // The file gets the mode of the socket, so nobody else can open it at any moment.
  int error = result(::fchmod(made.get(), kOwnerOnly));
  if (error == 0) {
    error = address_.bind(made);
  }
  if (error == EADDRINUSE) {
    remove_stale(address_);
    error = address_.bind(made);
  }
  if (error == 0) {
    static_cast<void>(::lstat(address_.path().c_str(), &file_));
    socket_ = std::move(made);
    error = result(::listen(socket_.get(), kWaitingClients));
  }
  if (error != 0) {
    throw Error(ErrorCode::InputOutput, address_.called() + ": " + reason(error));
  }
}

LocalSocket::~LocalSocket() {
  struct stat file {};
  // Somebody may have put another file there.
  if (::lstat(address_.path().c_str(), &file) == 0 && file.st_dev == file_.st_dev &&
      file.st_ino == file_.st_ino) {
    ::unlink(address_.path().c_str());
  }
}

FileDescriptor LocalSocket::accept() const {
  return FileDescriptor(::accept4(socket_.get(), nullptr, nullptr, SOCK_CLOEXEC | SOCK_NONBLOCK));
}

bool is_listened_at(const LocalAddress& address) {
  if (address.connect(address.make_socket(SOCK_NONBLOCK)) != ECONNREFUSED) {
    return true;
  }
  const FileDescriptor lock = lock_folder_of(address.path());
  if (address.connect(address.make_socket(SOCK_NONBLOCK)) != ECONNREFUSED) {
    return true;  // it was about to listen
  }
  ::unlink(address.path().c_str());
  return false;
}

bool has_no_room_for_clients() noexcept {
  return errno == EMFILE || errno == ENFILE || errno == ENOBUFS || errno == ENOMEM;
}

bool is_of_same_user(const FileDescriptor& peer) {
  ucred user{};
  socklen_t size = sizeof(user);
  return ::getsockopt(peer.get(), SOL_SOCKET, SO_PEERCRED, &user, &size) == 0 &&
         user.uid == ::geteuid();
}

}  // namespace gxr

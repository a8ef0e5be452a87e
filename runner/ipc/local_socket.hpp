#pragma once

#include <string>

#include <sys/stat.h>
#include <sys/un.h>

#include "internal_api.hpp"
#include "ipc/file_descriptor.hpp"

namespace gxr {

/// Where a Unix stream socket is, or is to be: a path, and what messages call it.
class LocalAddress {
 public:
  /// `role`: "control socket". Throws Error(InvalidArgument) for a path that is too long for the
  /// system (107 bytes).
  LocalAddress(std::string path, std::string role);

  [[nodiscard]] const std::string& path() const noexcept { return path_; }
  /// "control socket 'tuning.sock'"
  [[nodiscard]] std::string called() const;
  /// A socket, not joined to anything. `flags`: SOCK_NONBLOCK or 0. Throws Error(InputOutput).
  [[nodiscard]] FileDescriptor make_socket(int flags) const;
  /// 0, or errno.
  [[nodiscard]] int connect(const FileDescriptor& socket) const;
  /// The same, but a file that nobody listens at is believed to be left by somebody only after 0.2
  /// s: it is there for a moment before its owner listens.
  [[nodiscard]] int connect_patiently(const FileDescriptor& socket) const;
  [[nodiscard]] int bind(const FileDescriptor& socket) const;

 private:
  std::string path_;
  std::string role_;
  sockaddr_un address_{};
};

/// A Unix stream socket that listens at a path, which only the user of this process may open; the
/// file goes with this object.
class LocalSocket {
 public:
  /// A socket there that nobody listens at, as a killed process leaves it, is replaced. Throws
  /// Error(InvalidState) when somebody listens there or another file has that name, and
  /// Error(InputOutput).
  explicit LocalSocket(LocalAddress address);
  LocalSocket(const LocalSocket&) = delete;
  LocalSocket& operator=(const LocalSocket&) = delete;
  GXR_INTERNAL_API ~LocalSocket();

  [[nodiscard]] const LocalAddress& address() const noexcept { return address_; }
  [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }
  /// The next client, without waiting for it and not to be waited for; closed: there is none.
  [[nodiscard]] FileDescriptor accept() const;

 private:
  LocalAddress address_;
  FileDescriptor socket_;
  struct stat file_ {};  // which one is ours
};

/// Does anybody listen there? If not, the file, which a process left that was killed, is removed.
/// True also when it cannot be told.
[[nodiscard]] bool is_listened_at(const LocalAddress& address);

/// After accept() gave none: may there be clients for whom the process, or the system, has no file
/// descriptor or memory? poll(2) goes on to say that somebody is there.
[[nodiscard]] bool has_no_room_for_clients() noexcept;

/// Does the process at the other end belong to the user of this one? The mode of the file lets
/// nobody else in; this holds where modes mean nothing.
[[nodiscard]] bool is_of_same_user(const FileDescriptor& peer);

}  // namespace gxr

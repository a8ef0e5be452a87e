#pragma once

#include <string>

#include <sys/stat.h>
#include <sys/un.h>

#include "control/control_protocol.hpp"
#include "control/file_descriptor.hpp"

namespace gxr {

/// A Unix stream socket that listens at a path, which only the user of this process may open; the
/// file goes with this object.
class ControlSocket {
 public:
  /// A socket there that nobody listens at, as a killed process leaves it, is replaced. Throws
  /// Error(InvalidArgument) for a path that is too long for the system (107 bytes),
  /// Error(InvalidState) when somebody listens there or another file has that name, and
  /// Error(InputOutput).
  explicit ControlSocket(std::string path);
  ControlSocket(const ControlSocket&) = delete;
  ControlSocket& operator=(const ControlSocket&) = delete;
  ~ControlSocket();

  [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }
  /// The next client, without waiting for it and not to be waited for; closed: there is none.
  [[nodiscard]] FileDescriptor accept() const;

 private:
  std::string path_;
  FileDescriptor socket_;
  struct stat file_ {};  // which one is ours
};

/// Asks the application that listens at `path`, and waits for the answer. Throws Error(NotFound)
/// when nobody listens there, Error(InputOutput) for what the system says, and what the application
/// answers with its text.
void send_request(const std::string& path, const ControlRequest& request);

}  // namespace gxr

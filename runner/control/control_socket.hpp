#pragma once

#include <string>

#include "control/control_protocol.hpp"
#include "ipc/local_socket.hpp"

namespace gxr {

/// Where `gxr set` asks. Throws as LocalAddress and LocalSocket do.
class ControlSocket final : public LocalSocket {
 public:
  explicit ControlSocket(std::string path);
};

/// Asks the application that listens at `path`, and waits for the answer. Throws Error(NotFound)
/// when nobody listens there, Error(InputOutput) for what the system says, and what the application
/// answers with its text.
void send_request(const std::string& path, const ControlRequest& request);

}  // namespace gxr

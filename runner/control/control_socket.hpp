#pragma once

#include <chrono>
#include <string>

#include "control/control_protocol.hpp"
#include "internal_api.hpp"
#include "ipc/local_socket.hpp"

namespace gxr {

/// Where `gxr set` asks. Throws as LocalAddress and LocalSocket do.
class ControlSocket final : public LocalSocket {
 public:
  GXR_INTERNAL_API explicit ControlSocket(std::string path);
};

/// Where both sides meet when no path is given: "$XDG_RUNTIME_DIR/gxr.sock", or, without such a
/// folder, "/tmp/gxr-UID.sock" with the user's number.
[[nodiscard]] GXR_INTERNAL_API std::string usual_control_path();

/// Asks the application that listens at `path`, and waits for the answer, but no longer than
/// `patience` in all (0: without end). Throws Error(NotFound) when nobody listens there,
/// Error(InvalidArgument) when somebody else's process does, Error(NotFinished) when there is no
/// answer in time, Error(InputOutput) for what the system says, and what the application answers
/// with its text.
GXR_INTERNAL_API void send_request(const std::string& path, const ControlRequest& request,
                                   std::chrono::milliseconds patience = std::chrono::seconds(10));

}  // namespace gxr

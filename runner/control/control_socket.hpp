#pragma once

#include <chrono>
#include <cstddef>
#include <string>

#include <nlohmann/json_fwd.hpp>

#include "control/control_protocol.hpp"
#include "internal_api.hpp"
#include "ipc/local_socket.hpp"

namespace gxr {

/// Where clients ask. Throws as LocalAddress and LocalSocket do.
class ControlSocket final : public LocalSocket {
 public:
  GXR_INTERNAL_API explicit ControlSocket(std::string path);
};

/// Where both sides meet when `--control` has no path: "$XDG_RUNTIME_DIR/gxr.sock", or, without
/// such a folder, "/tmp/gxr-UID.sock" with the user's number.
[[nodiscard]] GXR_INTERNAL_API std::string usual_control_path();

/// Is there a socket at which somebody listens? What a process left that was killed is removed.
[[nodiscard]] GXR_INTERNAL_API bool has_listener(const std::string& path);

/// A moment after which nobody waits any more.
class ControlDeadline {
 public:
  /// 0: without end.
  GXR_INTERNAL_API explicit ControlDeadline(std::chrono::milliseconds patience);

  /// Waits until something can be done with the socket. Throws Error(NotFinished).
  void wait(const FileDescriptor& socket, short events, const LocalAddress& address) const;
  [[noreturn]] void pass(const LocalAddress& address) const;
  [[nodiscard]] bool is_over() const;

 private:
  [[nodiscard]] std::string patience_text() const;
  /// For poll(): -1 is without end.
  [[nodiscard]] int milliseconds_left() const;

  std::chrono::milliseconds patience_;
  std::chrono::steady_clock::time_point begin_;
};

/// A request to the application that listens at a path, on its way.
class ControlCall {
 public:
  /// Asks. Throws Error(NotFound) when nobody listens there, Error(InvalidArgument) when somebody
  /// else's process does, Error(NotFinished) when it cannot be asked in time, Error(InputOutput)
  /// for what the system says.
  GXR_INTERNAL_API ControlCall(const std::string& path, const ControlRequest& request,
                               const ControlDeadline& deadline);

  /// Can be read from when the answer begins.
  [[nodiscard]] int descriptor() const noexcept { return socket_.get(); }
  /// Waits for the answer, and returns its result, which is null without one. Throws
  /// Error(NotFinished) when there is none in time, and what the application answers with its text.
  [[nodiscard]] GXR_INTERNAL_API nlohmann::json answer(const ControlDeadline& deadline) const;
  /// The same for a Question::StatusText: the text.
  [[nodiscard]] GXR_INTERNAL_API std::string text(const ControlDeadline& deadline) const;

 private:
  [[nodiscard]] std::string receive(const ControlDeadline& deadline, bool all) const;

  LocalAddress address_;
  FileDescriptor socket_;
  std::size_t longest_;  // bytes of an answer; one to a change is short
};

/// Both, but no longer than `patience` in all (0: without end).
GXR_INTERNAL_API nlohmann::json send_request(
    const std::string& path, const ControlRequest& request,
    std::chrono::milliseconds patience = std::chrono::seconds(10));

}  // namespace gxr

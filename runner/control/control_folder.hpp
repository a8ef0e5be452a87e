#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "internal_api.hpp"

namespace gxr {

// Each application that runs has its control socket PID.sock in a folder of its user:
// $GXR_RUNTIME_DIR, else $XDG_RUNTIME_DIR/gxr if that is a folder of the user, else /tmp/gxr-UID.
// Nobody else may own or change the folder, or put a link in its place.

/// Throws Error(InvalidState) for a folder that belongs to another user, that others may write in,
/// or that is a symbolic link or no folder; Error(NotFound) when there is none, and
/// Error(InputOutput) for what the system says.
GXR_INTERNAL_API void require_own_folder(const std::string& path);

/// Where the socket of a process is to be; 0: this one. Makes the folder, with mode 0700, if there
/// is none. Throws as require_own_folder().
[[nodiscard]] GXR_INTERNAL_API std::string make_own_control_path(std::int64_t process = 0);

/// A socket at which an application listens.
struct ListeningSocket {
  std::int64_t process = 0;  ///< PID
  std::string path;
};

/// All applications of this user, by their numbers; sockets of processes that have died are
/// removed. Without $GXR_RUNTIME_DIR the folders are $XDG_RUNTIME_DIR/gxr and /tmp/gxr-UID, since
/// an application may have been started without the variable. `problems` gets a line for each
/// folder that is there and is not looked into.
[[nodiscard]] GXR_INTERNAL_API std::vector<ListeningSocket> listening_sockets(
    std::vector<std::string>& problems);

}  // namespace gxr

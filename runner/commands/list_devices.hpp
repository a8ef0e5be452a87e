#pragma once

namespace gxr::commands {

/// Prints the GPUs of this process, or why it can use none; returns the exit code.
int list_devices(bool json);

}  // namespace gxr::commands

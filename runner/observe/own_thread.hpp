#pragma once

#include <functional>
#include <string>
#include <thread>

#include "internal_api.hpp"

namespace gxr {

/// Starts a thread of gxr's own. `what` names it in the error: "the thread that watches FILE".
/// Throws Error(OutOfMemory) "WHAT cannot be started: reason" when the system has none. A crash on
/// it is reported like one on the main thread, also when its stack overflows; an exception that
/// leaves `run` ends the thread, and the log says so.
[[nodiscard]] GXR_INTERNAL_API std::thread start_thread(const std::string& what,
                                                        std::function<void()> run);

}  // namespace gxr

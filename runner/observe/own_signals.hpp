#pragma once

#include <signal.h>

#include "internal_api.hpp"

namespace gxr {

// A process that a component forks has gxr's handlers until it executes a program, which may be
// never. It is none of gxr's: signals do to it what they did before gxr caught them.

/// Installs a handler of gxr's. Keeps the disposition that was there before gxr's first one.
GXR_INTERNAL_API void catch_signal(int number, const struct sigaction& action) noexcept;

// For handlers, so async-signal-safe.
/// Has this process been forked from the one that called catch_signal()?
bool is_forked_process() noexcept;
/// In a forked process, has the signal do what it did before gxr caught it, which may end the
/// process, and returns true: the handler has nothing to do. False in gxr's own process.
GXR_INTERNAL_API bool leave_to_forked_process(int number) noexcept;

}  // namespace gxr

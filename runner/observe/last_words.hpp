#pragma once

#include <string_view>

#include "internal_api.hpp"
#include "observe/log_json.hpp"

namespace gxr {

// For handlers of signals, and for the end of the process: all of it is async-signal-safe, but for
// write_backtrace().

/// A line about the end of the process, to standard error and to the log file, in the form of the
/// log. What does not fit in some thousand bytes is cut.
void write_last_line(std::string_view text, const LogOrigin& origin = {}) noexcept;
/// The same, but skips each of the two that would block, such as a full pipe. A line end of `line`
/// does not count.
GXR_INTERNAL_API void write_last_words(std::string_view line) noexcept;

/// Has write_backtrace() need no memory.
void prepare_backtrace() noexcept;
/// The calls of this thread, into the log file, or to standard error without one. A last resort:
/// the process is killed when that takes seconds, since another thread may hold a lock that the
/// dynamic linker needs.
void write_backtrace() noexcept;

}  // namespace gxr

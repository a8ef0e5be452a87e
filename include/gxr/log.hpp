#pragma once

#include <cstdint>

namespace gxr {

/// How much of the log is shown, and of a line, how important it is. Off is no level of a line.
enum class LogLevel : std::uint8_t { Off, Error, Warn, Info, Debug };

}  // namespace gxr

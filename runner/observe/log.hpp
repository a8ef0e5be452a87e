#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gxr/log.hpp"

namespace gxr {

/// "off", "error", "warn", "info", "debug" as a level; empty when it is none of them.
std::optional<LogLevel> parse_log_level(std::string_view text) noexcept;

/// The log of this process: lines "12:30:01.250 info  entity/component: text" to standard error, or
/// to a file. Controls and invalid UTF-8 in the text are escaped. Thread-safe.
class Log {
 public:
  /// `file` empty: standard error, coloured when it is a terminal and NO_COLOR is not set. Throws
  /// Error(InputOutput) when the file cannot be opened.
  static void configure(LogLevel level, const std::string& file);
  static void write(LogLevel level, std::string_view text);
  [[nodiscard]] static bool enabled(LogLevel level) noexcept;
};

}  // namespace gxr

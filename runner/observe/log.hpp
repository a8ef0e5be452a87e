#pragma once

#include <cstdint>
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
  /// Error(InputOutput) when the file cannot be opened; no folder is made for it.
  static void configure(LogLevel level, const std::string& file);
  /// The form of GXF: "2026-01-31 12:30:01.250 INFO  file@12: text", errors to standard error and
  /// the rest to standard output, or all to `file`.
  static void configure_like_gxf(LogLevel level, const std::string& file);
  static void write(LogLevel level, std::string_view text);
  /// A line about a place in a file, which only GXF's form shows.
  static void write_at(LogLevel level, const std::string& file, std::uint32_t line,
                       std::string_view text);
  [[nodiscard]] static bool enabled(LogLevel level) noexcept;
  /// Did lines not get into a log file? The first one was reported on standard error.
  [[nodiscard]] static bool has_lost_lines() noexcept;
};

}  // namespace gxr

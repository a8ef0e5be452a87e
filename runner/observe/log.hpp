#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gxr/log.hpp"
#include "internal_api.hpp"

namespace gxr {

/// "off", "error", "warn", "info", "debug" as a level; empty when it is none of them.
GXR_INTERNAL_API std::optional<LogLevel> parse_log_level(std::string_view text) noexcept;

/// The log of this process: lines "12:30:01.250 info    entity/component: text" to standard error,
/// or "2026-01-31 12:30:01.250 +01:00 info    entity/component: text" to a file. Controls and
/// invalid UTF-8 in the text are escaped. Thread-safe. Before it is configured, as in a program
/// that embeds gxr, it takes everything from Info on to standard error.
class Log {
 public:
  /// `file` empty: standard error, coloured when it is a terminal and NO_COLOR is not set. Lines
  /// are appended to a file. Throws Error(InputOutput) when the file cannot be opened; no folder is
  /// made for it.
  GXR_INTERNAL_API static void configure(LogLevel level, const std::string& file);
  /// The form of GXF: "2026-01-31 12:30:01.250 INFO  file@12: text", errors to standard error and
  /// the rest to standard output, or all to `file`.
  GXR_INTERNAL_API static void configure_like_gxf(LogLevel level, const std::string& file);
  GXR_INTERNAL_API static void write(LogLevel level, std::string_view text);
  /// A line about a place in a file, which only GXF's form shows.
  GXR_INTERNAL_API static void write_at(LogLevel level, const std::string& file, std::uint32_t line,
                                        std::string_view text);
  /// A line that only a log file gets: the terminal is told in another form.
  GXR_INTERNAL_API static void record(LogLevel level, std::string_view text);
  /// What somebody asked for: written whatever the level is, unless it is Off.
  GXR_INTERNAL_API static void answer(LogLevel shown_as, std::string_view text);
  /// Goes on in a new file of the same name, for who has moved the old one away; if there is one,
  /// its end is written on. When that cannot be opened, the old one stays, and an error says so.
  GXR_INTERNAL_API static void reopen_file();
  [[nodiscard]] GXR_INTERNAL_API static bool enabled(LogLevel level) noexcept;
  /// Did lines not get into a log file? The first one was reported on standard error.
  [[nodiscard]] GXR_INTERNAL_API static bool has_lost_lines() noexcept;
};

/// The log file's descriptor for code that must not lock, or -1. For a short time after
/// Log::reopen_file() it may be that of the old file.
int log_file_descriptor() noexcept;

}  // namespace gxr

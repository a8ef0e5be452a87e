#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "gxr/log.hpp"
#include "internal_api.hpp"
#include "observe/log_json.hpp"
#include "observe/log_rotation.hpp"

namespace gxr {

/// "off", "error", "warn", "info", "debug" as a level; empty when it is none of them.
GXR_INTERNAL_API std::optional<LogLevel> parse_log_level(std::string_view text) noexcept;

/// The form of the lines of a log.
enum class LogForm : std::uint8_t {
  Text,
  Json,  ///< an object a line, see add_log_json(); the text is not escaped otherwise
};

/// What the log of a process is like.
struct LogChoices {
  LogLevel level = LogLevel::Info;
  std::string file;  ///< empty: standard error, coloured when it is a terminal and NO_COLOR not set
  LogForm form = LogForm::Text;
  LogRotation rotation{};  ///< of the file
};

/// The log of this process: lines "12:30:01.250 info    entity/component: text" to standard error,
/// or "2026-01-31 12:30:01.250 +01:00 info    entity/component: text" to a file. Controls and
/// invalid UTF-8 in the text are escaped, secrets hidden. Thread-safe. Before it is configured, as
/// in a program that embeds gxr, it takes everything from Info on to standard error.
class Log {
 public:
  /// Lines are appended to a file. Throws Error(InputOutput) when the file cannot be opened, or is
  /// to be rotated and is no regular file; no folder is made for it.
  GXR_INTERNAL_API static void configure(const LogChoices& choices);
  /// The form of GXF: "2026-01-31 12:30:01.250 INFO  file@12: text", errors to standard error and
  /// the rest to standard output, or all to `file`.
  GXR_INTERNAL_API static void configure_like_gxf(LogLevel level, const std::string& file);
  /// Has all lines name the rank that this process is, from now on: "rank 1: text", or a field of
  /// JSON.
  GXR_INTERNAL_API static void name_rank(std::uint32_t rank) noexcept;
  /// `origin` stands in the text, too.
  GXR_INTERNAL_API static void write(LogLevel level, std::string_view text,
                                     const LogOrigin& origin = {});
  /// A line of a component. As text it begins with "entity/component: ".
  static void write_of(LogLevel level, const LogOrigin& origin, std::string_view text);
  /// A line about a place in a file, which only GXF's form shows.
  GXR_INTERNAL_API static void write_at(LogLevel level, const std::string& file, std::uint32_t line,
                                        std::string_view text);
  /// A line that only a log file gets, and standard error when replaces_text(): the terminal is
  /// told in another form.
  GXR_INTERNAL_API static void record(LogLevel level, std::string_view text,
                                      const LogOrigin& origin = {});
  /// Does standard error get lines of JSON, and nothing else that gxr writes by itself?
  [[nodiscard]] GXR_INTERNAL_API static bool replaces_text() noexcept;
  /// Writes an answer to a user, whatever the level is, unless it is Off. It keeps its secrets: the
  /// address of the page has a token.
  GXR_INTERNAL_API static void answer(LogLevel shown_as, std::string_view text);
  /// Goes on in a new file of the same name, for who has moved the old one away; if there is one,
  /// its end is written on. When that cannot be opened, the old one stays, and an error says so.
  GXR_INTERNAL_API static void reopen_file();
  [[nodiscard]] GXR_INTERNAL_API static bool enabled(LogLevel level) noexcept;
  /// Did lines not get into a log file? The first one was reported on standard error.
  [[nodiscard]] GXR_INTERNAL_API static bool has_lost_lines() noexcept;
};

// For code that must not lock, such as handlers of signals:
/// The log file's descriptor, or -1. It stays the same as long as the process lives, whatever file
/// it is.
GXR_INTERNAL_API int log_file_descriptor() noexcept;
/// The form of the lines.
LogForm log_form() noexcept;
/// That they name.
std::optional<std::uint32_t> log_rank() noexcept;

}  // namespace gxr

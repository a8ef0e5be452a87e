#include "common/logger.hpp"

#include <array>
#include <atomic>
#include <cstdlib>
#include <ctime>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include <strings.h>

#include "formatted.hpp"
#include "observe/log.hpp"

namespace nvidia {

void (*LoggingFunction)(const char* file, int line, Severity severity, const char* text,
                        void* argument) = nullptr;
void* LoggingFunctionArg = nullptr;

namespace {

constexpr std::size_t kSeverities = static_cast<std::size_t>(Severity::COUNT);
// In the filter: no severity was set, and gxr's log decides.
constexpr int kAsGxr = static_cast<int>(Severity::COUNT);

bool is_line_severity(Severity severity) {
  return severity >= Severity::PANIC && severity < Severity::COUNT;
}

/// Severities of lines have a file and a text of five characters.
std::size_t index_of(Severity severity) { return static_cast<std::size_t>(severity); }

gxr::LogLevel gxr_level(Severity severity) {
  switch (severity) {
    case Severity::PANIC:
    case Severity::ERROR:
      return gxr::LogLevel::Error;
    case Severity::WARNING:
      return gxr::LogLevel::Warn;
    case Severity::INFO:
      return gxr::LogLevel::Info;
    default:
      return gxr::LogLevel::Debug;
  }
}

Severity severity_of_gxr() {
  for (const auto& [level, severity] : {std::pair{gxr::LogLevel::Debug, Severity::DEBUG},
                                        std::pair{gxr::LogLevel::Info, Severity::INFO},
                                        std::pair{gxr::LogLevel::Warn, Severity::WARNING},
                                        std::pair{gxr::LogLevel::Error, Severity::ERROR}}) {
    if (gxr::Log::enabled(level)) {
      return severity;
    }
  }
  return Severity::NONE;
}

std::atomic<int>& filter() {
  static std::atomic<int> severity{[] {
    int error = 0;
    const Severity wanted = GetSeverityFromEnv(kGxfLogEnvName, &error);
    if (error == 2) {
      gxr::Log::write(gxr::LogLevel::Warn, std::string(kGxfLogEnvName) +
                                               " names no severity: VERBOSE, DEBUG, INFO, WARNING, "
                                               "ERROR, PANIC or NONE");
    }
    return error == 0 ? static_cast<int>(wanted) : kAsGxr;
  }()};
  return severity;
}

bool is_shown(Severity severity) {
  const Severity most = GetSeverity();
  return most == Severity::ALL || severity <= most;
}

struct Redirections {
  std::mutex mutex;
  std::array<std::FILE*, kSeverities> files{};
};

/// Never destroyed: threads may log until the process has gone.
Redirections& redirections() {
  static Redirections& all = *new Redirections;
  return all;
}

/// Date and time as in GXF's lines.
std::string time_text() {
  std::timespec now{};
  std::timespec_get(&now, TIME_UTC);
  std::tm parts{};
  ::localtime_r(&now.tv_sec, &parts);
  std::array<char, 48> text{};
  const int length =
      std::snprintf(text.data(), text.size(), "%04d-%02d-%02d %02d:%02d:%02d.%03d",
                    parts.tm_year + 1900, parts.tm_mon + 1, parts.tm_mday, parts.tm_hour,
                    parts.tm_min, parts.tm_sec, static_cast<int>(now.tv_nsec / 1'000'000));
  return {text.data(), static_cast<std::size_t>(length)};
}

/// Writes one line in GXF's form.
void print_line(std::FILE* out, const char* file, int line, Severity severity, const char* text) {
  constexpr std::array<std::string_view, kSeverities> names = {"PANIC", "ERROR", "WARN ",
                                                               "INFO ", "DEBUG", "VERB "};
  std::string whole = time_text();
  whole += ' ';
  whole += names[index_of(severity)];
  whole += ' ';
  whole += file;
  whole += '@' + std::to_string(line) + ": " + text + '\n';
  std::fwrite(whole.data(), 1, whole.size(), out);
  std::fflush(out);
}

/// false: the line is not redirected.
bool print_redirected(const char* file, int line, Severity severity, const char* text) {
  Redirections& all = redirections();
  const std::lock_guard lock(all.mutex);
  std::FILE* const out = all.files[index_of(severity)];
  if (out != nullptr) {
    print_line(out, file, line, severity, text);
  }
  return out != nullptr;
}

void write_text(const char* file, int line, Severity severity, const char* text) {
  if (LoggingFunction != nullptr) {
    LoggingFunction(file, line, severity, text, LoggingFunctionArg);
  } else if (!print_redirected(file, line, severity, text)) {
    gxr::Log::write_at(gxr_level(severity), file, static_cast<std::uint32_t>(line), text);
  }
}

}  // namespace

void detail::LogAfter(const char* file, int line, Severity severity, const char* start,
                      const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  Log(file, line, severity, "%s: %s", start, detail::Formatted(format, arguments).c_str());
  va_end(arguments);
}

void Log(const char* file, int line, Severity severity, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  LogList(file, line, severity, format, arguments);
  va_end(arguments);
}

void LogList(const char* file, int line, Severity severity, const char* format,
             std::va_list arguments) {
  if (is_line_severity(severity) && is_shown(severity)) {
    write_text(file, line, severity, detail::Formatted(format, arguments).c_str());
  }
}

void SetSeverity(Severity severity) { filter().store(static_cast<int>(severity)); }

Severity GetSeverity() {
  const int severity = filter().load(std::memory_order_relaxed);
  return severity == kAsGxr ? severity_of_gxr() : static_cast<Severity>(severity);
}

bool SetSeverityFromEnv(const char* variable) {
  int error = 0;
  const Severity severity = GetSeverityFromEnv(variable, &error);
  if (error == 0) {
    SetSeverity(severity);
  }
  return error == 0;
}

Severity GetSeverityFromEnv(const char* variable, int* error) {
  const char* const text = std::getenv(variable);
  int problem = text == nullptr ? 1 : 2;
  Severity found = Severity::COUNT;
  if (text != nullptr) {
    for (const auto& [name, severity] :
         {std::pair{"NONE", Severity::NONE}, std::pair{"PANIC", Severity::PANIC},
          std::pair{"ERROR", Severity::ERROR}, std::pair{"WARNING", Severity::WARNING},
          std::pair{"INFO", Severity::INFO}, std::pair{"DEBUG", Severity::DEBUG},
          std::pair{"VERBOSE", Severity::VERBOSE}}) {
      if (::strcasecmp(text, name) == 0) {
        found = severity;
        problem = 0;
      }
    }
  }
  if (error != nullptr) {
    *error = problem;
  }
  return found;
}

void Redirect(std::FILE* file, Severity severity) {
  Redirections& all = redirections();
  const std::lock_guard lock(all.mutex);
  if (severity == Severity::ALL) {
    all.files.fill(file);
  } else if (is_line_severity(severity)) {
    all.files[index_of(severity)] = file;
  }
}

void DefaultConsoleLogging(const char* file, int line, Severity severity, const char* text,
                           void* /*argument*/) {
  if (is_line_severity(severity) && !print_redirected(file, line, severity, text)) {
    print_line(severity <= Severity::ERROR ? stderr : stdout, file, line, severity, text);
  }
}

}  // namespace nvidia

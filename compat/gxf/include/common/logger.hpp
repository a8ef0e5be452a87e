#pragma once

#include <cstdarg>
#include <cstdio>

#include "gxf/core/export.hpp"

#define GXF_LOG_LEVEL_PANIC 0
#define GXF_LOG_LEVEL_ERROR 1
#define GXF_LOG_LEVEL_WARNING 2
#define GXF_LOG_LEVEL_INFO 3
#define GXF_LOG_LEVEL_DEBUG 4
#define GXF_LOG_LEVEL_VERBOSE 5

/// Calls of less important lines are compiled to nothing.
#ifndef GXF_LOG_ACTIVE_LEVEL
#define GXF_LOG_ACTIVE_LEVEL GXF_LOG_LEVEL_VERBOSE
#endif

// GXF_LOG_X(format, arguments...), as of printf.

#if GXF_LOG_ACTIVE_LEVEL >= GXF_LOG_LEVEL_PANIC
#define GXF_LOG_PANIC(...) ::nvidia::Log(__FILE__, __LINE__, ::nvidia::Severity::PANIC, __VA_ARGS__)
#else
#define GXF_LOG_PANIC(...) (void)0
#endif

#if GXF_LOG_ACTIVE_LEVEL >= GXF_LOG_LEVEL_ERROR
#define GXF_LOG_ERROR(...) ::nvidia::Log(__FILE__, __LINE__, ::nvidia::Severity::ERROR, __VA_ARGS__)
#else
#define GXF_LOG_ERROR(...) (void)0
#endif

#if GXF_LOG_ACTIVE_LEVEL >= GXF_LOG_LEVEL_WARNING
#define GXF_LOG_WARNING(...) \
  ::nvidia::Log(__FILE__, __LINE__, ::nvidia::Severity::WARNING, __VA_ARGS__)
#else
#define GXF_LOG_WARNING(...) (void)0
#endif

#if GXF_LOG_ACTIVE_LEVEL >= GXF_LOG_LEVEL_INFO
#define GXF_LOG_INFO(...) ::nvidia::Log(__FILE__, __LINE__, ::nvidia::Severity::INFO, __VA_ARGS__)
#else
#define GXF_LOG_INFO(...) (void)0
#endif

#if GXF_LOG_ACTIVE_LEVEL >= GXF_LOG_LEVEL_DEBUG
#define GXF_LOG_DEBUG(...) ::nvidia::Log(__FILE__, __LINE__, ::nvidia::Severity::DEBUG, __VA_ARGS__)
#else
#define GXF_LOG_DEBUG(...) (void)0
#endif

#if GXF_LOG_ACTIVE_LEVEL >= GXF_LOG_LEVEL_VERBOSE
#define GXF_LOG_VERBOSE(...) \
  ::nvidia::Log(__FILE__, __LINE__, ::nvidia::Severity::VERBOSE, __VA_ARGS__)
#else
#define GXF_LOG_VERBOSE(...) (void)0
#endif

namespace nvidia {

/// How important a line is, and up to which importance lines are shown: NONE or ALL of them.
enum class Severity {
  NONE = -2,
  ALL = -1,
  PANIC = 0,
  ERROR = 1,
  WARNING = 2,
  INFO = 3,
  DEBUG = 4,
  VERBOSE = 5,
  COUNT = 6,
};

/// The environment variable with the severity up to which lines are shown.
constexpr const char* kGxfLogEnvName = "GXF_LOG_LEVEL";

/// Writes a line to gxr's log, or to what LoggingFunction and Redirect() name. Thread-safe.
GXR_GXF_API void Log(const char* file, int line, Severity severity, const char* format, ...)
    __attribute__((format(printf, 4, 5)));

/// The same with the arguments as a list.
GXR_GXF_API void LogList(const char* file, int line, Severity severity, const char* format,
                         std::va_list arguments) __attribute__((format(printf, 4, 0)));

/// Shows lines up to this severity. Until the first call, the environment variable decides; without
/// it, the level of gxr's log.
GXR_GXF_API void SetSeverity(Severity severity);
GXR_GXF_API Severity GetSeverity();

/// Takes the severity of an environment variable; false if it is not set or names none.
GXR_GXF_API bool SetSeverityFromEnv(const char* variable = kGxfLogEnvName);

/// The severity that an environment variable names, in any case. COUNT if there is none, and the
/// error is then 1 if the variable is not set and 2 if it has another text.
GXR_GXF_API Severity GetSeverityFromEnv(const char* variable, int* error = nullptr);

/// Writes lines of a severity, or of all, to a file instead of gxr's log; nullptr takes that back.
GXR_GXF_API void Redirect(std::FILE* file, Severity severity = Severity::ALL);

/// Writes a line with date, time, severity and place to the file of Redirect(), else to the
/// console: PANIC and ERROR to standard error, the others to standard output.
GXR_GXF_API void DefaultConsoleLogging(const char* file, int line, Severity severity,
                                       const char* text, void* argument);

/// Receives all lines that are shown; nullptr for the usual way. Not to be changed while other
/// threads log.
GXR_GXF_API extern void (*LoggingFunction)(const char* file, int line, Severity severity,
                                           const char* text, void* argument);
/// The last argument of LoggingFunction.
GXR_GXF_API extern void* LoggingFunctionArg;

namespace detail {

/// A line of `start`, a colon and the text of the format.
GXR_GXF_API void LogAfter(const char* file, int line, Severity severity, const char* start,
                          const char* format, ...);

/// Log() without the check of arguments, which templates cannot have.
inline void LogUnchecked(const char* file, int line, Severity severity, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  LogList(file, line, severity, format, arguments);
  va_end(arguments);
}

}  // namespace detail
}  // namespace nvidia

#pragma once

#include <string>
#include <vector>

#include "common/logger.hpp"

namespace gxr::test {

/// Takes all lines of the layer's log while it lives, from `severity` on.
class LogLines {
 public:
  struct Line {
    std::string file;
    int line;
    nvidia::Severity severity;
    std::string text;
  };

  explicit LogLines(nvidia::Severity severity = nvidia::Severity::VERBOSE)
      : before_(nvidia::GetSeverity()) {
    nvidia::SetSeverity(severity);
    nvidia::LoggingFunction = take;
    nvidia::LoggingFunctionArg = this;
  }
  ~LogLines() {
    nvidia::LoggingFunction = nullptr;
    nvidia::LoggingFunctionArg = nullptr;
    nvidia::SetSeverity(before_);
  }
  LogLines(const LogLines&) = delete;
  LogLines& operator=(const LogLines&) = delete;

  std::vector<Line> lines;

  /// The texts, each with a newline.
  [[nodiscard]] std::string text() const {
    std::string all;
    for (const Line& each : lines) {
      all += each.text + '\n';
    }
    return all;
  }

 private:
  static void take(const char* file, int line, nvidia::Severity severity, const char* text,
                   void* self) {
    static_cast<LogLines*>(self)->lines.push_back({file, line, severity, text});
  }

  nvidia::Severity before_;
};

}  // namespace gxr::test

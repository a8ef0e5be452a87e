#pragma once

#include <exception>
#include <string>

#include "gxf/core/export.hpp"

namespace nvidia {

/// The exception of a failed assertion, or of the use of a value that is not there. A PANIC line in
/// the log comes first. The adapters that call into an extension catch it.
class GXR_GXF_API Panic : public std::exception {
 public:
  explicit Panic(std::string text);
  ~Panic() override;
  Panic(const Panic&) = default;
  Panic& operator=(const Panic&) = default;

  /// The text of the PANIC line.
  [[nodiscard]] const char* what() const noexcept override;

 private:
  std::string text_;
};

/// Writes a PANIC line and throws Panic with its text.
[[noreturn]] GXR_GXF_API void RaisePanic(const char* file, int line, const char* format, ...)
    __attribute__((format(printf, 3, 4)));

}  // namespace nvidia

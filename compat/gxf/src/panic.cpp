#include "common/panic.hpp"

#include <cstdarg>
#include <utility>

#include "common/logger.hpp"
#include "formatted.hpp"

namespace nvidia {

Panic::Panic(std::string text) : text_(std::move(text)) {}

Panic::~Panic() = default;

const char* Panic::what() const noexcept { return text_.c_str(); }

void RaisePanic(const char* file, int line, const char* format, ...) {
  std::va_list arguments;
  va_start(arguments, format);
  std::string text = detail::Formatted(format, arguments);
  va_end(arguments);
  Log(file, line, Severity::PANIC, "%s", text.c_str());
  throw Panic(std::move(text));
}

}  // namespace nvidia

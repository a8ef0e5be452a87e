#pragma once

#include <cstdarg>
#include <string>

namespace nvidia::detail {

/// What vprintf would write.
std::string Formatted(const char* format, std::va_list arguments)
    __attribute__((format(printf, 1, 0)));

}  // namespace nvidia::detail

#include "formatted.hpp"

#include <array>
#include <cstdio>

namespace nvidia {

std::string detail::Formatted(const char* format, std::va_list arguments) {
  std::array<char, 512> few{};
  std::va_list again;
  va_copy(again, arguments);
  const int length = std::vsnprintf(few.data(), few.size(), format, arguments);
  std::string text;
  if (length < 0) {
    text = format;  // the arguments do not fit
  } else if (static_cast<std::size_t>(length) < few.size()) {
    text.assign(few.data(), static_cast<std::size_t>(length));
  } else {
    text.resize(static_cast<std::size_t>(length));
    std::vsnprintf(text.data(), text.size() + 1, format, again);
  }
  va_end(again);
  return text;
}

}  // namespace nvidia

#pragma once

#include <string>
#include <string_view>

namespace gxr::dds {

/// A text of another program for a line that people read: without controls, so that it cannot look
/// like more than one line.
inline std::string one_line(std::string_view text) {
  constexpr const char* kDigits = "0123456789abcdef";
  std::string line;
  for (const char c : text) {
    const auto byte = static_cast<unsigned char>(c);
    if (byte < 0x20 || byte == 0x7f) {
      line += std::string("\\x") + kDigits[byte >> 4U] + kDigits[byte & 15U];
    } else {
      line += c;
    }
  }
  return line;
}

}  // namespace gxr::dds

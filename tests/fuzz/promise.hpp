#pragma once

#include <cstdlib>
#include <iostream>
#include <string>
#include <string_view>

namespace gxr::fuzz {

/// Aborts, which fuzzers report with the input.
inline void require(bool holds, std::string_view promise) {
  if (!holds) {
    std::cerr << "broken: " << promise << std::endl;
    std::abort();
  }
}

/// A value deep inside of lists or maps. How deep, the first bytes say: changes of single bytes
/// would never nest. Most are of a few levels, which cost little; what begins with @ is deeper than
/// a stack holds.
inline std::string nested(std::string_view value) {
  const auto byte = [&](std::size_t i) {
    return i < value.size() ? static_cast<unsigned char>(value[i]) : 0U;
  };
  const std::size_t levels = byte(0) == '@' ? 100'000 : byte(0) % 16;
  const bool maps = byte(1) % 2 == 1;
  std::string text;
  for (std::size_t i = 0; i < levels; ++i) {
    text += maps ? R"({"of":)" : "[";
  }
  text.append(value.empty() ? "0" : value);
  text.append(levels, maps ? '}' : ']');
  return text;
}

}  // namespace gxr::fuzz

#pragma once

#include <array>
#include <charconv>
#include <cstddef>
#include <cstring>
#include <string>
#include <string_view>
#include <system_error>

/// Text that is the same under every locale. The locale belongs to the process, and any library may
/// set it at any time; printf, streams, std::to_string(double), strtod, isalpha and strerror follow
/// it.
namespace gxr {

namespace detail {

template <class... Format>
std::string real_text(double value, Format... format) {
  std::array<char, 512> buffer;  // the greatest double has 309 digits before the point
  const auto [end, error] =
      std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, format...);
  return error == std::errc() ? std::string(buffer.data(), end) : std::string("?");
}

}  // namespace detail

/// As by printf("%.*f", decimals, value): "0.500". At most 100 decimals.
inline std::string fixed_text(double value, int decimals) {
  return detail::real_text(value, std::chars_format::fixed, decimals);
}

/// As by printf("%.*g", digits, value): "0.5", "1e+20". At most 100 digits.
inline std::string general_text(double value, int digits = 6) {
  return detail::real_text(value, std::chars_format::general, digits);
}

/// The fewest digits that read back as the same number.
inline std::string shortest_text(double value) { return detail::real_text(value); }

/// A plain decimal number ("-1.5e3") as a whole; 0 when the text is none.
inline double plain_number(std::string_view text) noexcept {
  text.remove_prefix(text.starts_with('+') ? 1 : 0);
  double value = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), value);
  return error == std::errc() && end == text.data() + text.size() ? value : 0;
}

/// The meaning of an error number of the system, in English: "No such file or directory".
inline std::string system_error_text(int error) {
#if defined(__GLIBC__) && (__GLIBC__ > 2 || __GLIBC_MINOR__ >= 32) && defined(_GNU_SOURCE)
  const char* const text = ::strerrordesc_np(error);
  return text != nullptr ? text : "Unknown error " + std::to_string(error);
#else
  return std::generic_category().message(error);
#endif
}

/// Is it one of 0 to 9?
constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
/// Is it one of A to Z or a to z?
constexpr bool is_letter(char c) noexcept {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

/// The letters A to Z as a to z, and nothing else changed.
inline std::string lower_case(std::string_view text) {
  std::string result(text);
  for (char& c : result) {
    c = c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
  }
  return result;
}

}  // namespace gxr

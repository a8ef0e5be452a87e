#pragma once

#include <cstddef>
#include <string>
#include <string_view>

namespace gxr {

/// One character at the start of a text. An invalid byte is a character of its own.
struct Utf8Character {
  char32_t code = 0;
  std::size_t size = 0;  ///< bytes; 0 at the end of the text
  bool valid = true;
};

/// True when the bytes of `set` have `c`.
constexpr bool is_one_of(char c, std::string_view set) noexcept {
  return set.find(c) != std::string_view::npos;
}

Utf8Character first_character(std::string_view text) noexcept;
bool is_ascii(std::string_view text) noexcept;
/// Characters (code points; invalid bytes count one each).
std::size_t count_characters(std::string_view text) noexcept;
/// Bytes of the first `count` characters, at most all.
std::size_t bytes_of_characters(std::string_view text, std::size_t count) noexcept;
/// Columns of a terminal that a printable character takes: 0, 1 or 2.
int display_width(char32_t code) noexcept;
/// True for what must not reach a terminal: controls, and marks that change the direction of
/// writing.
bool is_control(char32_t code) noexcept;
/// How a control character or an invalid byte is shown: "\t", "\x1b", "\u202e".
std::string escaped(const Utf8Character& character);
/// `text` with controls and invalid bytes escaped; newlines too.
std::string printable(std::string_view text);
/// The same of a text of several lines; all but the first begin with `indent`.
std::string printable_lines(std::string_view text, std::string_view indent);
/// `text` escaped, in single quotes, as messages quote what a user wrote.
std::string quote_text(std::string_view text);

}  // namespace gxr

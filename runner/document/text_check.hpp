#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gxr {

/// Something in a text that is no YAML at all, whatever stands around it.
struct TextFlaw {
  std::size_t offset = 0;
  std::string text;
  std::string hint;
};

/// The first invalid UTF-8 byte, control character, or byte order mark at the start of a line.
std::optional<TextFlaw> find_flaw(std::string_view text);
/// Says so when the text is UTF-16 or UTF-32 by its byte order mark.
std::optional<TextFlaw> find_foreign_encoding(std::string_view text);
/// Drops a byte order mark at the start and makes a newline of each carriage return that has none
/// after it.
void normalise_line_ends(std::string& text);

}  // namespace gxr

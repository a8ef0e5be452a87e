#include "document/text_check.hpp"

#include <cstdint>

#include "document/utf8.hpp"

namespace gxr {

namespace {

constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";
constexpr char32_t kByteOrderMarkCode = 0xFEFF;

/// Tells in one pass without branches whether a text has anything but printable ASCII and line
/// ends.
bool is_harmless(std::string_view text) noexcept {
  std::uint8_t odd = 0;
  for (const char c : text) {
    const auto byte = static_cast<std::uint8_t>(c);
    const bool blank = byte == '\t' || byte == '\n' || byte == '\r';
    odd = static_cast<std::uint8_t>(
        odd | static_cast<std::uint8_t>(byte > 0x7F) |
        (static_cast<std::uint8_t>(byte < 0x20) & static_cast<std::uint8_t>(!blank)));
  }
  return odd == 0;
}

bool is_forbidden(char32_t code) noexcept {
  return code < 0x20 && code != '\t' && code != '\n' && code != '\r';
}

TextFlaw control_flaw(std::size_t offset, const Utf8Character& character) {
  if (character.code == 0) {
    return {offset, "a NUL byte is not allowed in YAML", "this may be no text file at all"};
  }
  return {offset, "the control character " + escaped(character) + " is not allowed in YAML",
          "in double quotes it may be written as " + escaped(character)};
}

std::optional<TextFlaw> flaw_at(std::string_view text, std::size_t offset,
                                const Utf8Character& character) {
  if (!character.valid) {
    return TextFlaw{offset, "the byte " + escaped(character) + " is not valid UTF-8",
                    "save the file as UTF-8"};
  }
  if (is_forbidden(character.code)) {
    return control_flaw(offset, character);
  }
  const bool line_start = offset == 0 || text[offset - 1] == '\n';
  if (character.code == kByteOrderMarkCode && line_start) {
    return TextFlaw{offset, "a byte order mark (U+FEFF) stands at the start of this line",
                    "remove it; files that were joined often have it"};
  }
  return std::nullopt;
}

}  // namespace

std::optional<TextFlaw> find_flaw(std::string_view text) {
  if (is_harmless(text)) {
    return std::nullopt;
  }
  for (std::size_t offset = 0; offset < text.size();) {
    const Utf8Character character = first_character(text.substr(offset));
    if (std::optional<TextFlaw> flaw = flaw_at(text, offset, character)) {
      return flaw;
    }
    offset += character.size;
  }
  return std::nullopt;
}

std::optional<TextFlaw> find_foreign_encoding(std::string_view text) {
  if (text.starts_with("\xFF\xFE") || text.starts_with("\xFE\xFF")) {
    return TextFlaw{0, "this is UTF-16 or UTF-32 text; gxr reads UTF-8", "save the file as UTF-8"};
  }
  return std::nullopt;
}

void normalise_line_ends(std::string& text) {
  if (text.starts_with(kByteOrderMark)) {
    text.erase(0, kByteOrderMark.size());
  }
  for (std::size_t i = text.find('\r'); i != std::string::npos; i = text.find('\r', i + 1)) {
    if (i + 1 == text.size() || text[i + 1] != '\n') {
      text[i] = '\n';
    }
  }
}

}  // namespace gxr

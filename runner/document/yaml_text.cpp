#include "document/yaml_text.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "document/odd_blanks.hpp"
#include "document/utf8.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {

namespace {

constexpr std::string_view kCoreTag = "tag:yaml.org,2002:";

bool is_alphanumeric(char c) noexcept { return is_letter(c) || is_digit(c); }

bool is_beyond_ascii(char c) noexcept { return static_cast<unsigned char>(c) >= 0x80; }

bool may_start_plain(char c) noexcept {
  return is_alphanumeric(c) || is_beyond_ascii(c) || is_one_of(c, "_./<+$^()\\~");
}

bool may_continue_plain(char c) noexcept {
  return may_start_plain(c) || is_one_of(c, "-=*@%;>:' ");
}

bool starts_plain(std::string_view text) noexcept {
  if (text.starts_with("...") || text.empty()) {
    return false;
  }
  const bool number =
      text.size() > 1 && text[0] == '-' && (is_alphanumeric(text[1]) || text[1] == '.');
  return number || may_start_plain(text.front());
}

bool has_control(std::string_view text) noexcept {
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    if (!character.valid || is_control(character.code)) {
      return true;
    }
    text.remove_prefix(character.size);
  }
  return false;
}

/// A colon ends a key before a blank; and what a terminal does not show is better escaped.
bool has_hidden_meaning(std::string_view text) noexcept {
  if (text.ends_with(' ') || text.ends_with(':') || text.find(": ") != std::string_view::npos) {
    return true;
  }
  if (is_ascii(text)) {
    return false;
  }
  return has_odd_blank(text) || has_control(text);
}

bool is_plain(std::string_view text) noexcept {
  return starts_plain(text) && !is_null_text(text) &&
         std::all_of(text.begin(), text.end(), may_continue_plain) && !has_hidden_meaning(text);
}

std::string quoted_character(const Utf8Character& character, std::string_view bytes) {
  constexpr std::array<std::pair<char32_t, const char*>, 6> kNamed = {
      {{'"', "\\\""}, {'\\', "\\\\"}, {'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}, {0, "\\0"}}};
  for (const auto& [code, text] : kNamed) {
    if (character.code == code && !bytes.empty()) {
      return text;
    }
  }
  return character.valid && is_control(character.code) ? escaped(character) : std::string(bytes);
}

bool is_word(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_alphanumeric(c) || c == '-' || c == '_';
  });
}

}  // namespace

bool is_null_text(std::string_view plain) noexcept {
  return plain.empty() || plain == "~" || plain == "null" || plain == "Null" || plain == "NULL";
}

std::string yaml_scalar(std::string_view text) {
  return is_plain(text) ? std::string(text) : yaml_quoted(text);
}

std::string yaml_key(std::string text) {
  return is_short_key(text) ? std::move(text) + ": " : "? " + std::move(text) + " : ";
}

std::string yaml_quoted(std::string_view text) {
  std::string result = "\"";
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    result += quoted_character(character, text.substr(0, character.size));
    text.remove_prefix(character.size);
  }
  return result + '"';
}

bool is_writable_tag(std::string_view tag) noexcept {
  return std::all_of(tag.begin(), tag.end(), [](char c) {
    return is_alphanumeric(c) || is_one_of(c, "!-_.~*'()#;/?:@&=+$,[]");
  });
}

std::string yaml_tag(std::string_view tag) {
  if (tag.starts_with('!') && is_word(tag.substr(1))) {
    return std::string(tag);
  }
  if (tag.starts_with(kCoreTag) && is_word(tag.substr(kCoreTag.size()))) {
    return "!!" + std::string(tag.substr(kCoreTag.size()));
  }
  return "!<" + std::string(tag) + ">";
}

}  // namespace gxr

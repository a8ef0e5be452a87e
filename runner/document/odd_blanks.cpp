#include "document/odd_blanks.hpp"

#include <algorithm>
#include <array>
#include <utility>

#include "document/utf8.hpp"
#include "gxr/plain_text.hpp"

namespace gxr {

namespace {

constexpr std::array<std::pair<char32_t, const char*>, 22> kBlankNames = {
    {{0x00A0, "a no-break space"},
     {0x1680, "an Ogham space mark"},
     {0x180E, "a Mongolian vowel separator"},
     {0x2000, "an en quad"},
     {0x2001, "an em quad"},
     {0x2002, "an en space"},
     {0x2003, "an em space"},
     {0x2004, "a three-per-em space"},
     {0x2005, "a four-per-em space"},
     {0x2006, "a six-per-em space"},
     {0x2007, "a figure space"},
     {0x2008, "a punctuation space"},
     {0x2009, "a thin space"},
     {0x200A, "a hair space"},
     {0x200B, "a zero-width space"},
     {0x200C, "a zero-width non-joiner"},
     {0x200D, "a zero-width joiner"},
     {0x202F, "a narrow no-break space"},
     {0x205F, "a medium mathematical space"},
     {0x2060, "a word joiner"},
     {0x3000, "an ideographic space"},
     {0xFEFF, "a byte order mark"}}};

constexpr std::string_view kMarksOfLines = "-?:";
constexpr const char* kBlankHint = "YAML takes spaces only; a text that has one has to be quoted";

const char* name_of_blank(char32_t code) noexcept {
  const auto* const found =
      std::lower_bound(kBlankNames.begin(), kBlankNames.end(), code,
                       [](const auto& entry, char32_t value) { return entry.first < value; });
  return found != kBlankNames.end() && found->first == code ? found->second : nullptr;
}

std::string_view text_from(std::string_view text, std::size_t offset) noexcept {
  return text.substr(std::min(offset, text.size()));
}

bool is_odd(std::string_view text, std::size_t offset) noexcept {
  return name_of_blank(first_character(text_from(text, offset)).code) != nullptr;
}

/// "a no-break space (U+00A0)"
std::string described(std::string_view text, std::size_t offset) {
  constexpr std::string_view kDigits = "0123456789ABCDEF";
  const char32_t code = first_character(text_from(text, offset)).code;
  std::string number = "U+";
  for (unsigned shift = 16; shift > 0;) {
    shift -= 4;
    number += kDigits[(code >> shift) & 0xFU];
  }
  return std::string(name_of_blank(code)) + " (" + number + ")";
}

OddBlank blank_found(std::string_view text, std::size_t offset, const std::string& where) {
  return {offset, described(text, offset) + " stands " + where, kBlankHint};
}

/// `mark`: the '-', '?' or ':' before it, or 0.
std::string place_behind(char mark) {
  return mark == 0 ? "at the start of this line" : std::string("behind this '") + mark + "'";
}

OddBlank tab_found(std::size_t offset, char mark) {
  if (mark == 0) {
    return {offset, "a tab cannot indent YAML", "use spaces"};
  }
  return {offset, "a tab stands " + place_behind(mark) + ", where it cannot indent what follows",
          "use a space"};
}

// A file may be one line of megabytes: nothing looks further than this for the ends of a line.
constexpr std::size_t kReach = 2000;

std::size_t start_of_line(std::string_view text, std::size_t offset) noexcept {
  const std::size_t reach = offset - std::min(offset, kReach);
  return text.substr(reach, offset - reach).rfind('\n') + 1 + reach;
}

std::string_view rest_of_line(std::string_view text, std::size_t offset) noexcept {
  const std::string_view rest = text_from(text, offset).substr(0, kReach);
  return rest.substr(0, rest.find('\n'));
}

bool is_mark_before_blank(std::string_view text, std::size_t offset) noexcept {
  return offset + 1 < text.size() && is_one_of(text[offset], kMarksOfLines) &&
         (is_one_of(text[offset + 1], " \t") || is_odd(text, offset + 1));
}

bool is_plain_word(std::string_view text) noexcept {
  return !text.empty() && std::all_of(text.begin(), text.end(), [](char c) {
    return is_letter(c) || is_digit(c) || is_one_of(c, "_-./");
  });
}

/// Offset behind the colon of "key:" when an odd blank follows; npos else.
std::size_t blank_behind_colon(std::string_view text, std::size_t offset) noexcept {
  const std::string_view line = rest_of_line(text, offset);
  const std::size_t colon = line.find(':');
  const bool is_key = colon != std::string_view::npos && is_plain_word(line.substr(0, colon)) &&
                      is_odd(line, colon + 1);
  return is_key ? offset + colon + 1 : std::string_view::npos;
}

/// Offset of the odd blank that the text ends with; npos when it ends with another character.
std::size_t blank_at_end(std::string_view text) noexcept {
  for (std::size_t size = 2; size <= std::min<std::size_t>(3, text.size()); ++size) {
    const Utf8Character last = first_character(text.substr(text.size() - size));
    if (last.valid && last.size == size) {
      return name_of_blank(last.code) != nullptr ? text.size() - size : std::string_view::npos;
    }
  }
  return std::string_view::npos;
}

}  // namespace

std::optional<OddBlank> odd_blank_in_indentation(std::string_view text, std::size_t offset) {
  char mark = 0;
  for (std::size_t i = start_of_line(text, std::min(offset, text.size())); i < text.size(); ++i) {
    if (text[i] == '\t') {
      return tab_found(i, mark);
    }
    if (is_odd(text, i)) {
      return blank_found(text, i, place_behind(mark));
    }
    if (is_mark_before_blank(text, i)) {
      mark = text[i];
    } else if (text[i] != ' ') {
      break;
    }
  }
  return std::nullopt;
}

std::optional<OddBlank> odd_blank_in_line_before(std::string_view text, std::size_t offset) {
  const std::size_t line = start_of_line(text, std::min(offset, text.size()));
  const std::size_t last = text.substr(0, line).find_last_not_of(" \t\r\n");
  if (last == std::string_view::npos) {
    return std::nullopt;
  }
  std::size_t content = start_of_line(text, last);
  while (text[content] == ' ' ||
         (is_mark_before_blank(text, content) && text[content + 1] == ' ')) {
    ++content;
  }
  return odd_blank_in_plain(text, content, last + 1 - content, false);
}

std::optional<OddBlank> odd_blank_in_plain(std::string_view text, std::size_t offset,
                                           std::size_t size, bool key) {
  const std::size_t start = start_of_line(text, offset);
  const std::string_view before = text.substr(start, offset - start);
  const bool first = before.find_first_not_of(" \t") == std::string_view::npos;
  const bool behind_marks = before.find_first_not_of(" \t-?:") == std::string_view::npos;
  if (is_odd(text, offset) && (first || key)) {
    return blank_found(text, offset, first ? place_behind(0) : "before this key");
  }
  if (behind_marks && is_mark_before_blank(text, offset) && is_odd(text, offset + 1)) {
    return blank_found(text, offset + 1, place_behind(text[offset]));
  }
  const std::size_t colon = blank_behind_colon(text, offset);
  if (colon != std::string_view::npos && (key || behind_marks)) {
    return blank_found(text, colon, "behind this ':'");
  }
  const std::size_t end = key ? blank_at_end(text.substr(offset, size)) : std::string_view::npos;
  return end == std::string_view::npos
             ? std::nullopt
             : std::optional(blank_found(text, offset + end, "behind this key"));
}

bool has_odd_blank(std::string_view text) noexcept {
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    if (name_of_blank(character.code) != nullptr) {
      return true;
    }
    text.remove_prefix(character.size);
  }
  return false;
}

}  // namespace gxr

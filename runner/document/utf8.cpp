#include "document/utf8.hpp"

#include <algorithm>
#include <array>
#include <cstdint>
#include <utility>

namespace gxr {

namespace {

struct Range {
  char32_t first;
  char32_t last;
};

// Unicode 15: what terminals draw two columns wide, and what they draw over the character before.
constexpr std::array kWide = {
    Range{0x1100, 0x115F},   Range{0x231A, 0x231B},   Range{0x2329, 0x232A},
    Range{0x23E9, 0x23EC},   Range{0x25FD, 0x25FE},   Range{0x2614, 0x2615},
    Range{0x2648, 0x2653},   Range{0x26AA, 0x26AB},   Range{0x26BD, 0x26BE},
    Range{0x2705, 0x2705},   Range{0x274C, 0x274C},   Range{0x2753, 0x2757},
    Range{0x2795, 0x2797},   Range{0x2B1B, 0x2B1C},   Range{0x2B50, 0x2B50},
    Range{0x2E80, 0x303E},   Range{0x3041, 0x33FF},   Range{0x3400, 0x4DBF},
    Range{0x4E00, 0x9FFF},   Range{0xA000, 0xA4CF},   Range{0xA960, 0xA97F},
    Range{0xAC00, 0xD7A3},   Range{0xF900, 0xFAFF},   Range{0xFE30, 0xFE6F},
    Range{0xFF00, 0xFF60},   Range{0xFFE0, 0xFFE6},   Range{0x16FE0, 0x18CFF},
    Range{0x1AFF0, 0x1B2FF}, Range{0x1F004, 0x1F004}, Range{0x1F0CF, 0x1F0CF},
    Range{0x1F18E, 0x1F18E}, Range{0x1F191, 0x1F19A}, Range{0x1F200, 0x1F320},
    Range{0x1F32D, 0x1F64F}, Range{0x1F680, 0x1F6FF}, Range{0x1F7E0, 0x1F7EB},
    Range{0x1F900, 0x1F9FF}, Range{0x1FA70, 0x1FAFF}, Range{0x20000, 0x3FFFD},
};
constexpr std::array kZeroWidth = {
    Range{0x0300, 0x036F},   Range{0x0483, 0x0489}, Range{0x0591, 0x05BD}, Range{0x0610, 0x061A},
    Range{0x064B, 0x065F},   Range{0x0900, 0x0902}, Range{0x093C, 0x093C}, Range{0x0E31, 0x0E31},
    Range{0x0E34, 0x0E3A},   Range{0x1AB0, 0x1AFF}, Range{0x1DC0, 0x1DFF}, Range{0x200B, 0x200D},
    Range{0x2060, 0x2064},   Range{0x20D0, 0x20FF}, Range{0xFE00, 0xFE0F}, Range{0xFE20, 0xFE2F},
    Range{0xE0100, 0xE01EF},
};

template <std::size_t N>
bool contains(const std::array<Range, N>& ranges, char32_t code) noexcept {
  const auto* const range =
      std::lower_bound(ranges.begin(), ranges.end(), code,
                       [](const Range& r, char32_t value) { return r.last < value; });
  return range != ranges.end() && range->first <= code;
}

bool is_continuation(char c) noexcept { return (static_cast<unsigned char>(c) & 0xC0U) == 0x80U; }

std::size_t sequence_size(unsigned char lead) noexcept {
  if (lead < 0x80) {
    return 1;
  }
  if (lead < 0xC2 || lead > 0xF4) {
    return 0;
  }
  return lead < 0xE0 ? 2 : lead < 0xF0 ? 3 : 4;
}

bool is_encodable(char32_t code, std::size_t size) noexcept {
  constexpr std::array<char32_t, 5> kSmallest = {0, 0, 0x80, 0x800, 0x10000};
  return code >= kSmallest[size] && code <= 0x10FFFF && (code < 0xD800 || code > 0xDFFF);
}

std::string hexadecimal(char32_t code, std::size_t digits) {
  constexpr std::string_view kDigits = "0123456789abcdef";
  std::string text(digits, '0');
  for (std::size_t i = digits; i-- > 0; code >>= 4U) {
    text[i] = kDigits[code & 0xFU];
  }
  return text;
}

}  // namespace

Utf8Character first_character(std::string_view text) noexcept {
  if (text.empty()) {
    return {};
  }
  const auto lead = static_cast<unsigned char>(text.front());
  const std::size_t size = sequence_size(lead);
  if (size == 1) {
    return {lead, 1, true};
  }
  const Utf8Character invalid{lead, 1, false};
  if (size == 0 || text.size() < size) {
    return invalid;
  }
  char32_t code = lead & (0x7FU >> size);
  for (std::size_t i = 1; i < size; ++i) {
    if (!is_continuation(text[i])) {
      return invalid;
    }
    code = (code << 6U) | (static_cast<unsigned char>(text[i]) & 0x3FU);
  }
  return is_encodable(code, size) ? Utf8Character{code, size, true} : invalid;
}

bool is_ascii(std::string_view text) noexcept {
  // No early exit: the loop is vectorised, and nearly every text is ASCII.
  unsigned char bits = 0;
  for (const char c : text) {
    bits = static_cast<unsigned char>(bits | static_cast<unsigned char>(c));
  }
  return bits < 0x80;
}

std::size_t count_characters(std::string_view text) noexcept {
  if (is_ascii(text)) {
    return text.size();
  }
  std::size_t count = 0;
  while (!text.empty()) {
    text.remove_prefix(first_character(text).size);
    ++count;
  }
  return count;
}

std::size_t bytes_of_characters(std::string_view text, std::size_t count) noexcept {
  const std::string_view whole = text;
  if (is_ascii(text.substr(0, count))) {
    return std::min(count, text.size());
  }
  for (; count > 0 && !text.empty(); --count) {
    text.remove_prefix(first_character(text).size);
  }
  return whole.size() - text.size();
}

int display_width(char32_t code) noexcept {
  if (code < 0x300) {
    return 1;
  }
  return contains(kZeroWidth, code) ? 0 : contains(kWide, code) ? 2 : 1;
}

bool is_control(char32_t code) noexcept {
  return code < 0x20 || (code >= 0x7F && code < 0xA0) || code == 0x200E || code == 0x200F ||
         (code >= 0x2028 && code <= 0x202E) || (code >= 0x2066 && code <= 0x2069) || code == 0xFEFF;
}

std::string escaped(const Utf8Character& character) {
  constexpr std::array<std::pair<char32_t, const char*>, 3> kShort = {
      {{'\n', "\\n"}, {'\r', "\\r"}, {'\t', "\\t"}}};
  for (const auto& [code, text] : kShort) {
    if (character.code == code) {
      return text;
    }
  }
  const bool small = character.code < 0x100;
  return (small ? "\\x" : "\\u") + hexadecimal(character.code, small ? 2 : 4);
}

std::string printable(std::string_view text) {
  std::string result;
  result.reserve(text.size());
  while (!text.empty()) {
    const Utf8Character character = first_character(text);
    if (character.valid && !is_control(character.code)) {
      result += text.substr(0, character.size);
    } else {
      result += escaped(character);
    }
    text.remove_prefix(character.size);
  }
  return result;
}

std::string printable_lines(std::string_view text, std::string_view indent) {
  std::string result;
  for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
    result.append(printable(text.substr(0, end))).append("\n").append(indent);
    text.remove_prefix(end + 1);
  }
  return result + printable(text);
}

std::string quote_text(std::string_view text) {
  std::string result = "'";
  result += printable(text);
  result += '\'';
  return result;
}

}  // namespace gxr

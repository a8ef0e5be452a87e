#include "language/text.hpp"

#include <algorithm>
#include <utility>

#include "document/utf8.hpp"

namespace gxr::language {
namespace {

/// Characters beyond the first plane take two units; so do no others, nor bytes that are none.
std::uint32_t units_of(const Utf8Character& character) noexcept {
  return character.valid && character.code > 0xFFFF ? 2 : 1;
}

std::uint32_t count_units(std::string_view text) noexcept {
  std::uint32_t units = 0;
  while (!text.empty()) {
    const Utf8Character next = first_character(text);
    units += units_of(next);
    text.remove_prefix(next.size);
  }
  return units;
}

/// Bytes of the first units; the middle of a character counts as its begin.
std::size_t bytes_of_units(std::string_view text, std::uint32_t units) noexcept {
  std::size_t bytes = 0;
  std::uint32_t counted = 0;
  while (bytes < text.size()) {
    const Utf8Character next = first_character(text.substr(bytes));
    counted += units_of(next);
    if (counted > units) {
      break;
    }
    bytes += next.size;
  }
  return bytes;
}

}  // namespace

Text::Text(std::string text) : text_(std::move(text)) { find_lines(); }

void Text::find_lines() {
  starts_.assign(1, 0);
  for (std::size_t i = text_.find_first_of("\r\n"); i != std::string::npos;
       i = text_.find_first_of("\r\n", i)) {
    i += text_[i] == '\r' && i + 1 < text_.size() && text_[i + 1] == '\n' ? 2 : 1;
    starts_.push_back(i);
  }
}

std::string_view Text::line(std::uint32_t line) const noexcept {
  if (line >= starts_.size()) {
    return {};
  }
  const std::size_t begin = starts_[line];
  const std::size_t end = line + 1 < starts_.size() ? starts_[line + 1] : text_.size();
  std::string_view whole = std::string_view(text_).substr(begin, end - begin);
  while (whole.ends_with('\n') || whole.ends_with('\r')) {
    whole.remove_suffix(1);
  }
  return whole;
}

std::size_t Text::offset_of(Position position) const noexcept {
  if (position.line >= starts_.size()) {
    return text_.size();
  }
  return starts_[position.line] + bytes_of_units(line(position.line), position.character);
}

Position Text::position_of(std::size_t offset) const noexcept {
  const auto next = std::ranges::upper_bound(starts_, std::min(offset, text_.size()));
  const auto number = static_cast<std::uint32_t>(next - starts_.begin() - 1);
  const std::string_view whole = line(number);
  return {number, count_units(whole.substr(0, std::min(offset - starts_[number], whole.size())))};
}

Position Text::position_of(Location where) const noexcept {
  if (where.line == 0) {
    return {};
  }
  const std::uint32_t number = where.line - 1;
  std::string_view whole = line(number);
  std::uint32_t in_front = 0;
  if (number == 0 && whole.starts_with(kByteOrderMark)) {
    whole.remove_prefix(kByteOrderMark.size());
    in_front = 1;
  }
  const std::size_t characters = where.column == 0 ? 0 : where.column - 1;
  return {number, in_front + count_units(whole.substr(0, bytes_of_characters(whole, characters)))};
}

Location Text::location_of(Position position, std::uint16_t source) const noexcept {
  std::string_view whole = line(position.line);
  std::string_view in_front = whole.substr(0, bytes_of_units(whole, position.character));
  if (position.line == 0 && in_front.starts_with(kByteOrderMark)) {
    in_front.remove_prefix(kByteOrderMark.size());
  }
  return {position.line + 1, static_cast<std::uint32_t>(count_characters(in_front)) + 1, source};
}

Range Text::range_of(Location where, std::size_t length) const noexcept {
  const Position begin = position_of(where);
  const std::size_t from = offset_of(begin);
  const std::string_view rest =
      line(begin.line)
          .substr(std::min(from - (begin.line < starts_.size() ? starts_[begin.line] : from),
                           line(begin.line).size()));
  const std::size_t bytes = where.line == 0 ? 0 : bytes_of_characters(rest, length);
  return {begin, position_of(from + bytes)};
}

void Text::replace(Range range, std::string_view with) {
  const std::size_t begin = offset_of(range.begin);
  const std::size_t end = std::max(offset_of(range.end), begin);
  text_.replace(begin, end - begin, with);
  find_lines();
}

}  // namespace gxr::language

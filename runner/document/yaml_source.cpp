#include "document/yaml_source.hpp"

#include <algorithm>
#include <array>

#include "document/utf8.hpp"

namespace gxr {

namespace {

constexpr std::string_view kBlanks = " \t";
constexpr std::string_view kLineEnds = "\r\n";
constexpr std::string_view kSpace = " \t\r\n";
constexpr std::string_view kTagCharacters =
    "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789!#$%&'()*+-./:;=?@_~";
constexpr std::size_t kFarEnough = 1000;

char at(std::string_view text, std::size_t offset) noexcept {
  return offset < text.size() ? text[offset] : '\n';
}

std::size_t find_from(std::string_view text, std::string_view set, std::size_t offset) noexcept {
  return std::min(text.find_first_of(set, offset), text.size());
}

std::size_t skip(std::string_view text, std::string_view set, std::size_t offset) noexcept {
  return std::min(text.find_first_not_of(set, offset), text.size());
}

std::size_t end_of_property(std::string_view text, std::size_t offset) noexcept {
  if (at(text, offset) == '&') {
    return find_from(text, " \t\r\n,[]{}", offset);
  }
  if (text.substr(offset).starts_with("!<")) {
    return std::min(find_from(text, ">", offset) + 1, text.size());
  }
  return skip(text, kTagCharacters, offset);
}

std::size_t skip_space_and_comments(std::string_view text, std::size_t offset) noexcept {
  offset = skip(text, kSpace, offset);
  while (at(text, offset) == '#') {
    offset = skip(text, kSpace, find_from(text, kLineEnds, offset));
  }
  return offset;
}

std::string_view trimmed_end(std::string_view text) noexcept {
  return text.substr(0, text.find_last_not_of(kSpace) + 1);
}

std::string_view without_comment(std::string_view line) noexcept {
  for (std::size_t i = 0; i < line.size(); ++i) {
    if (line[i] == '#' && (i == 0 || is_one_of(line[i - 1], kBlanks))) {
      return line.substr(0, i);
    }
  }
  return line;
}

/// Offset of the last line of `text`, which does not end with a newline of its own.
std::size_t last_line_start(std::string_view text) noexcept { return text.rfind('\n') + 1; }

/// The line without its comment, unless the '#' seems to be within quotes.
std::string_view written_part(std::string_view line) noexcept {
  const std::string_view part = trimmed_end(without_comment(line));
  const bool awaits_value = part.empty() || is_one_of(part.back(), ":-,?[{");
  return awaits_value ? part : trimmed_end(line);
}

}  // namespace

YamlSource::YamlSource(const YamlStretch& stretch)
    : stretch_(stretch), ascii_(is_ascii(stretch.text)) {}

void YamlSource::to_previous_line() {
  const std::size_t end = line_start_ - 1;
  line_start_ = end == 0 ? 0 : stretch_.text.rfind('\n', end - 1) + 1;
  --line_;
  offset_ = line_start_;
  column_ = 0;
}

void YamlSource::to_line_at(std::size_t start) {
  line_start_ = offset_ = start;
  ++line_;
  column_ = 0;
}

void YamlSource::move_to(std::size_t offset) {
  while (offset < line_start_) {
    to_previous_line();
  }
  // Never looks beyond the offset: a file may be one line of megabytes.
  const std::string_view before = stretch_.text.substr(0, offset);
  for (std::size_t end = before.find('\n', offset_); end < offset;
       end = before.find('\n', offset_)) {
    to_line_at(end + 1);
  }
  if (ascii_) {
    column_ = offset - line_start_;
  } else if (offset >= offset_) {
    column_ += count_characters(before.substr(offset_));
  } else {
    column_ -= count_characters(stretch_.text.substr(offset, offset_ - offset));
  }
  offset_ = offset;
}

Location YamlSource::locate(std::size_t offset) {
  if (stretch_.fixed) {
    return *stretch_.fixed;
  }
  move_to(std::min(offset, stretch_.text.size()));
  const std::uint32_t first = line_ == 0 ? stretch_.column : 1;
  return {stretch_.line + line_, first + static_cast<std::uint32_t>(column_), stretch_.source};
}

std::size_t YamlSource::indentation(std::size_t offset) {
  move_to(std::min(offset, stretch_.text.size()));
  return column_;
}

std::size_t skip_properties(std::string_view text, std::size_t offset, bool same_line) {
  while (is_one_of(at(text, offset), "&!")) {
    const std::size_t end = end_of_property(text, offset);
    offset = same_line ? skip(text, kBlanks, end) : skip_space_and_comments(text, end);
  }
  return offset;
}

std::string_view null_text_at(std::string_view text, std::size_t offset) {
  constexpr std::array<std::string_view, 4> kSpellings = {"~", "null", "Null", "NULL"};
  const std::string_view rest = text.substr(std::min(offset, text.size()));
  for (const std::string_view spelling : kSpellings) {
    if (rest.starts_with(spelling) && is_one_of(at(rest, spelling.size()), " \t\r\n,]}:?")) {
      return rest.substr(0, spelling.size());
    }
  }
  return {};
}

std::size_t end_of_text_before(std::string_view text, std::size_t offset) {
  std::size_t end = std::min(offset, text.size());
  while (end > 0) {
    // Of a long line the last part will do: a file may be one line of megabytes, full of empty
    // values.
    const std::size_t reach = end - std::min(end, kFarEnough);
    const std::size_t begin = last_line_start(text.substr(reach, end - reach)) + reach;
    const std::string_view part = written_part(text.substr(begin, end - begin));
    if (!part.empty()) {
      return begin + part.size();
    }
    end = begin == 0 ? 0 : begin - 1;
  }
  return std::min(offset, text.size());
}

bool is_closed_quote(std::string_view text, std::size_t offset) {
  const char quote = at(text, offset);
  for (std::size_t i = offset + 1; i < text.size(); ++i) {
    if (quote == '"' && text[i] == '\\') {
      ++i;
      continue;
    }
    if (text[i] == quote && (quote == '"' || at(text, i + 1) != '\'')) {
      return true;
    }
    i += text[i] == quote ? 1U : 0U;
  }
  return false;
}

bool is_document_border(std::string_view text, std::size_t from, std::size_t to) {
  if (text.substr(std::min(to, text.size())).starts_with("---")) {
    return true;
  }
  for (std::size_t i = text.find("...", from); i < to; i = text.find("...", i + 1)) {
    if ((i == 0 || text[i - 1] == '\n') && is_one_of(at(text, i + 3), kSpace)) {
      return true;
    }
  }
  return false;
}

}  // namespace gxr

#include "document/document_split.hpp"

#include <algorithm>

namespace gxr {

namespace {

constexpr std::string_view kMark = "---";

bool is_mark(std::string_view text, std::size_t offset) noexcept {
  const std::size_t next = offset + kMark.size();
  return (offset == 0 || text[offset - 1] == '\n') &&
         (next >= text.size() ||
          std::string_view(" \t\r\n").find(text[next]) != std::string_view::npos);
}

/// Offset of the next mark at or after `from`, or npos.
std::size_t find_mark(std::string_view text, std::size_t from) noexcept {
  std::size_t offset = text.find(kMark, from);
  while (offset != std::string_view::npos && !is_mark(text, offset)) {
    offset = text.find(kMark, offset + 1);
  }
  return offset;
}

bool is_blank_or_comment(std::string_view line) noexcept {
  const std::size_t content = line.find_first_not_of(" \t\r");
  return content == std::string_view::npos || line[content] == '#';
}

/// Start of the directives that stand before the mark at `mark` and after `begin`; `mark` when
/// there are none.
std::size_t start_of_directives(std::string_view text, std::size_t begin,
                                std::size_t mark) noexcept {
  std::size_t start = mark;
  for (std::size_t end = mark; end > begin;) {
    const std::size_t before = end < 2 ? std::string_view::npos : text.rfind('\n', end - 2);
    const std::size_t line = before == std::string_view::npos ? 0 : before + 1;
    const bool directive = text[line] == '%';
    if (!directive && !is_blank_or_comment(text.substr(line, end - 1 - line))) {
      break;
    }
    start = directive ? line : start;
    end = line;
  }
  return std::max(start, begin);
}

std::uint32_t count_lines(std::string_view text) noexcept {
  return static_cast<std::uint32_t>(std::count(text.begin(), text.end(), '\n'));
}

}  // namespace

std::vector<YamlStretch> split_documents(std::string_view text, std::uint16_t source) {
  std::vector<YamlStretch> stretches;
  std::size_t begin = 0;
  std::uint32_t line = 1;
  const auto cut = [&](std::size_t end) {
    const std::string_view part = text.substr(begin, end - begin);
    if (!part.empty()) {
      stretches.push_back({part, source, line, 1, {}});
    }
    line += count_lines(part);
    begin = end;
  };
  for (std::size_t mark = find_mark(text, 0); mark != std::string_view::npos;
       mark = find_mark(text, mark + kMark.size())) {
    cut(start_of_directives(text, begin, mark));
  }
  cut(text.size());
  return stretches;
}

}  // namespace gxr

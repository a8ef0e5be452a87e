#include "document/yaml_directives.hpp"

#include <algorithm>

#include "gxr/plain_text.hpp"

namespace gxr {

namespace {

constexpr std::string_view kLineBlanks = " \t\r";
constexpr std::string_view kDirective = "%YAML";
constexpr std::string_view kDocumentEnd = "...";

/// Up to the newline, or the end of the text.
std::string_view line_from(std::string_view text, std::size_t start) noexcept {
  return text.substr(start, std::min(text.find('\n', start), text.size()) - start);
}

bool may_precede_document(std::string_view line) noexcept {
  const std::size_t content = line.find_first_not_of(kLineBlanks);
  return content == std::string_view::npos || line[content] == '#' || line.front() == '%';
}

std::size_t count_digits(std::string_view text) noexcept {
  const auto* const end = std::find_if_not(text.begin(), text.end(), is_digit);
  return static_cast<std::size_t>(end - text.begin());
}

/// Offset of the point in a line "%YAML 1.2", or npos.
std::size_t point_in(std::string_view line) noexcept {
  if (!line.starts_with(kDirective)) {
    return std::string_view::npos;
  }
  const std::size_t version = line.find_first_not_of(kLineBlanks, kDirective.size());
  if (version == kDirective.size() || version == std::string_view::npos) {
    return std::string_view::npos;
  }
  const std::size_t point = version + count_digits(line.substr(version));
  const bool is_version =
      point > version && point + 1 < line.size() && line[point] == '.' && is_digit(line[point + 1]);
  return is_version ? point : std::string_view::npos;
}

/// Offset of the first line at or after `line` that belongs to a document itself.
std::size_t read_directives(std::string_view text, std::size_t line,
                            std::vector<std::size_t>& points) {
  while (line < text.size()) {
    const std::string_view content = line_from(text, line);
    if (!may_precede_document(content)) {
      return line;
    }
    if (const std::size_t point = point_in(content); point != std::string_view::npos) {
      points.push_back(line + point);
    }
    line += content.size() + 1;
  }
  return text.size();
}

/// Offset of the line behind the next "..." at or after `from`, where directives may stand again.
std::size_t behind_document(std::string_view text, std::size_t from) noexcept {
  for (std::size_t mark = text.find(kDocumentEnd, from); mark != std::string_view::npos;
       mark = text.find(kDocumentEnd, mark + 1)) {
    if (mark == 0 || text[mark - 1] == '\n') {
      return mark + line_from(text, mark).size() + 1;
    }
  }
  return text.size();
}

}  // namespace

std::vector<std::size_t> find_version_points(std::string_view text) {
  std::vector<std::size_t> points;
  if (text.find('%') == std::string_view::npos) {
    return points;  // as in nearly every document
  }
  for (std::size_t line = 0; line < text.size();) {
    line = behind_document(text, read_directives(text, line, points));
  }
  return points;
}

}  // namespace gxr

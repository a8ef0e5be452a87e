#include "commands/text_layout.hpp"

#include <algorithm>

namespace gxr::commands {
namespace {

std::string_view take_line(std::string_view& text) {
  const std::size_t end = text.find('\n');
  const std::string_view line = text.substr(0, end);
  text.remove_prefix(end == std::string_view::npos ? text.size() : end + 1);
  return line;
}

/// Columns of UTF-8 text: every byte that starts a character counts one.
std::size_t columns(std::string_view text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) {
    return (static_cast<unsigned char>(c) & 0xC0U) != 0x80U;
  }));
}

void append_wrapped(std::string& out, std::string_view line, std::size_t indent) {
  std::size_t used = 0;
  while (!line.empty()) {
    const std::size_t end = std::min(line.find(' '), line.size());
    const std::string_view word = line.substr(0, end);
    line.remove_prefix(std::min(end + 1, line.size()));
    if (word.empty()) {
      continue;
    }
    if (used > 0 && used + 1 + columns(word) > kTextWidth) {
      out += '\n';
      used = 0;
    }
    out += used == 0 ? std::string(indent, ' ') : " ";
    used = (used == 0 ? indent : used + 1) + columns(word);
    out += word;
  }
  out += '\n';
}

}  // namespace

std::string paragraph(std::string_view text, std::size_t indent) {
  std::string out;
  while (!text.empty()) {
    append_wrapped(out, take_line(text), indent);
  }
  return out;
}

std::string entry(std::string_view name, std::string_view text, std::size_t indent,
                  std::size_t column) {
  std::string head(indent, ' ');
  head += name;
  const std::string body = paragraph(text, column);
  if (body.empty()) {
    return head + "\n";
  }
  if (columns(head) + 1 > column) {
    return head + "\n" + body;
  }
  return head + std::string(column - columns(head), ' ') + body.substr(column);
}

}  // namespace gxr::commands

#include "document/source.hpp"

#include <cstring>
#include <limits>
#include <utility>

#include "gxr/error.hpp"

namespace gxr {

namespace {

constexpr std::size_t kLinesPerEntry = 64;

/// Offset just behind the line that starts at `start`.
std::size_t next_line(std::string_view text, std::size_t start) {
  const std::size_t end = text.find('\n', start);
  return end == std::string_view::npos ? text.size() : end + 1;
}

std::vector<std::size_t> index_lines(std::string_view text) {
  std::vector<std::size_t> starts;
  std::size_t start = 0;
  for (std::size_t line = 0; start < text.size(); ++line) {
    if (line % kLinesPerEntry == 0) {
      starts.push_back(start);
    }
    start = next_line(text, start);
  }
  return starts;
}

std::string_view without_line_end(std::string_view line) {
  if (line.ends_with('\n')) {
    line.remove_suffix(1);
  }
  if (line.ends_with('\r')) {
    line.remove_suffix(1);
  }
  return line;
}

}  // namespace

SourceMap::SourceMap() { add({Source::Kind::Program, "gxr", {}}); }

std::uint16_t SourceMap::add(Source source) {
  if (sources_.size() > std::numeric_limits<std::uint16_t>::max()) {
    throw Error(ErrorCode::OutOfRange, "more than 65,535 files and arguments");
  }
  sources_.push_back(std::move(source));
  line_starts_.push_back(index_lines(sources_.back().text));
  return static_cast<std::uint16_t>(sources_.size() - 1);
}

std::string_view SourceMap::line(std::uint16_t index, std::uint32_t line) const {
  const std::string_view text = at(index).text;
  const std::vector<std::size_t>& starts = line_starts_[index];
  if (line == 0 || (line - 1) / kLinesPerEntry >= starts.size()) {
    return {};
  }
  std::size_t start = starts[(line - 1) / kLinesPerEntry];
  for (std::size_t i = (line - 1) % kLinesPerEntry; i > 0; --i) {
    start = next_line(text, start);
  }
  return without_line_end(text.substr(start, next_line(text, start) - start));
}

std::string SourceMap::describe(Location where) const {
  const std::string& name = at(where.source).name;
  if (!where.known()) {
    return name;
  }
  return name + ':' + std::to_string(where.line) + ':' + std::to_string(where.column);
}

}  // namespace gxr

#include "document/source_line.hpp"

#include <algorithm>
#include <vector>

#include "document/secrets.hpp"
#include "document/utf8.hpp"

namespace gxr {

namespace {

constexpr std::string_view kCut = "...";
constexpr std::string_view kTab = "    ";
constexpr std::string_view kHidden = "***";
// Bytes around the place in which secrets are looked for.
constexpr std::size_t kFarthestSecret = 16384;

/// One character as it is shown.
struct Cell {
  std::string text;
  std::size_t width = 1;
};

Cell make_cell(std::string_view text, const Utf8Character& character) {
  if (character.code == '\t') {
    return {std::string(kTab), kTab.size()};
  }
  if (!character.valid || is_control(character.code)) {
    std::string shown = escaped(character);
    const std::size_t width = shown.size();
    return {std::move(shown), width};
  }
  return {std::string(text.substr(0, character.size)),
          static_cast<std::size_t>(display_width(character.code))};
}

/// The cells of a line from byte `begin` on. A secret is one cell, and cells without width.
std::vector<Cell> make_cells(std::string_view line, std::size_t begin, std::size_t count) {
  const std::size_t known = begin > kFarthestSecret ? begin - kFarthestSecret : 0;
  const std::vector<TextRange> secrets =
      find_secrets(line.substr(known, begin - known + kFarthestSecret));
  auto secret = secrets.begin();
  std::vector<Cell> cells;
  bool is_inside = false;
  for (std::size_t at = begin; at < line.size() && count > 0;) {
    const std::string_view rest = line.substr(at);
    const Utf8Character character = first_character(rest);
    while (secret != secrets.end() && known + secret->end <= at) {
      ++secret;
      is_inside = false;
    }
    const bool is_hidden = secret != secrets.end() && known + secret->begin <= at;
    if (is_hidden) {
      cells.push_back(is_inside ? Cell{{}, 0} : Cell{std::string(kHidden), kHidden.size()});
    } else {
      cells.push_back(make_cell(rest, character));
    }
    count -= is_hidden && is_inside ? 0 : 1;
    is_inside = is_hidden;
    at += character.size;
  }
  return cells;
}

std::size_t width_of(const std::vector<Cell>& cells, std::size_t begin, std::size_t end) {
  std::size_t width = 0;
  for (std::size_t i = begin; i < end; ++i) {
    width += cells[i].width;
  }
  return width;
}

/// The cells that are shown.
struct Window {
  std::size_t begin;
  std::size_t end;
};

/// Grows from the marked place to both sides while there is room.
Window choose_window(const std::vector<Cell>& cells, std::size_t place, std::size_t room) {
  Window window{std::min(place, cells.size()), std::min(place, cells.size())};
  bool grown = true;
  while (grown) {
    grown = false;
    if (window.end < cells.size() && cells[window.end].width <= room) {
      room -= cells[window.end++].width;
      grown = true;
    }
    if (window.begin > 0 && cells[window.begin - 1].width <= room) {
      room -= cells[--window.begin].width;
      grown = true;
    }
  }
  return window;
}

std::string join(const std::vector<Cell>& cells, Window window) {
  std::string text;
  for (std::size_t i = window.begin; i < window.end; ++i) {
    text += cells[i].text;
  }
  return text;
}

}  // namespace

std::uint32_t clip_length(std::string_view line, std::uint32_t column, std::uint32_t length) {
  line.remove_prefix(bytes_of_characters(line, std::max(column, 1U) - 1));
  if (line.starts_with('*')) {
    line = line.substr(0, line.find_first_of(" \t,]}"));
  }
  // A character has at most four bytes, so the rest of a long line need not be counted.
  line = line.substr(0, std::size_t{length} * 4);
  const std::size_t left = std::max<std::size_t>(count_characters(line), 1);
  return static_cast<std::uint32_t>(std::min<std::size_t>(std::max(length, 1U), left));
}

std::uint32_t marked_length(const SourceMap& sources, Location where, std::uint32_t length) {
  std::string_view line = sources.line(where.source, where.line);
  length = clip_length(line, where.column, length);
  line.remove_prefix(bytes_of_characters(line, where.column - 1));
  if (sources.at(where.source).kind != Source::Kind::Launch || line.empty() ||
      is_one_of(line.front(), "'\"[{")) {
    return length;
  }
  const std::size_t word = count_characters(
      line.substr(0, std::min(line.find_first_of(" \t"), std::size_t{length} * 4)));
  return static_cast<std::uint32_t>(std::clamp<std::size_t>(word, 1, length));
}

MarkedLine mark_line(std::string_view line, std::uint32_t column, std::uint32_t length,
                     std::size_t width) {
  length = clip_length(line, column, length);
  // Only what can be shown is looked at; a line may have megabytes.
  const std::size_t index = std::max(column, 1U) - 1;
  const std::size_t hidden = index > width ? index - width : 0;
  const std::vector<Cell> cells =
      make_cells(line, bytes_of_characters(line, hidden), 2 * width + 1);
  const std::size_t place = index - hidden;
  const bool fits = hidden == 0 && width_of(cells, 0, cells.size()) <= width;
  const std::size_t room = fits ? width : width - 2 * kCut.size();
  const Window window = choose_window(cells, place, room);
  const std::string_view left = hidden + window.begin > 0 ? kCut : "";
  const std::string_view right = window.end < cells.size() ? kCut : "";
  const std::size_t before =
      left.size() + width_of(cells, window.begin, std::min(place, window.end));
  const std::size_t end = std::min(place + length, window.end);
  const std::size_t marked = place < end ? width_of(cells, place, end) : 0;
  return {std::string(left) + join(cells, window) + std::string(right),
          std::string(before, ' ') + std::string(std::max<std::size_t>(marked, 1), '^')};
}

}  // namespace gxr

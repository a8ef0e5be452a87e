#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "gxr/value.hpp"

namespace gxr::language {

/// The mark of the byte order, in front of some texts in UTF-8.
inline constexpr std::string_view kByteOrderMark = "\xEF\xBB\xBF";

/// A place as editors name it: lines count from 0, and so do units of UTF-16 in a line.
struct Position {
  std::uint32_t line = 0;
  std::uint32_t character = 0;

  friend bool operator==(const Position&, const Position&) = default;
  friend bool operator<(const Position& a, const Position& b) noexcept {
    return a.line != b.line ? a.line < b.line : a.character < b.character;
  }
};

/// From a place up to another one.
struct Range {
  Position begin;
  Position end;

  friend bool operator==(const Range&, const Range&) = default;
};

/// A text in UTF-8 and its lines, which end with a newline, a carriage return or both. Places
/// behind the end of a line or of the text mean the end.
class Text {
 public:
  explicit Text(std::string text = {});

  [[nodiscard]] const std::string& all() const noexcept { return text_; }
  [[nodiscard]] std::size_t line_count() const noexcept { return starts_.size(); }
  /// Without its end; "" for a line that is not there.
  [[nodiscard]] std::string_view line(std::uint32_t line) const noexcept;

  /// Bytes in front of a place.
  [[nodiscard]] std::size_t offset_of(Position position) const noexcept;
  [[nodiscard]] Position position_of(std::size_t offset) const noexcept;
  /// Of a place as diagnostics name it: lines and characters count from 1, and a mark of the byte
  /// order in front of the text does not count. The begin of the text for an unknown place.
  [[nodiscard]] Position position_of(Location where) const noexcept;
  /// The way back, in the source of that number.
  [[nodiscard]] Location location_of(Position position, std::uint16_t source) const noexcept;
  /// So many characters from there on, in one line.
  [[nodiscard]] Range range_of(Location where, std::size_t length) const noexcept;

  /// Puts another text in the place of a part.
  void replace(Range range, std::string_view with);

 private:
  void find_lines();

  std::string text_;
  std::vector<std::size_t> starts_;  // of the lines
};

}  // namespace gxr::language

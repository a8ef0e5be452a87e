#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string_view>

#include "gxr/value.hpp"

namespace gxr {

/// A stretch of a source that the YAML reader reads, and where it stands in that source.
struct YamlStretch {
  std::string_view text;
  std::uint16_t source = 0;
  std::uint32_t line = 1;         ///< of the first character
  std::uint32_t column = 1;       ///< of the first character
  std::optional<Location> fixed;  ///< location of everything, for text that no user wrote
};

/// Turns offsets into locations, and reads what events do not tell. For one thread; quick when
/// offsets rise.
class YamlSource {
 public:
  explicit YamlSource(const YamlStretch& stretch);

  [[nodiscard]] std::string_view text() const noexcept { return stretch_.text; }
  /// Location of the character at `offset`; offsets beyond the end mean the end.
  Location locate(std::size_t offset);
  /// Characters before `offset` in its line, also where the location is fixed.
  std::size_t indentation(std::size_t offset);

 private:
  void move_to(std::size_t offset);
  void to_previous_line();
  void to_line_at(std::size_t start);

  YamlStretch stretch_;
  bool ascii_;
  std::size_t offset_ = 0;
  std::size_t line_start_ = 0;
  std::uint32_t line_ = 0;  // from 0, in the stretch
  std::size_t column_ = 0;  // characters before offset_ in its line
};

/// Offset of the content behind anchors and tags (`&a !t x`) that start at `offset`, also when it
/// stands on a later line. `offset` itself when there are none.
std::size_t skip_properties(std::string_view text, std::size_t offset, bool same_line);
/// The null spelling at `offset`: "~", "null", "Null", "NULL", or "".
std::string_view null_text_at(std::string_view text, std::size_t offset);
/// Just behind what stands before an empty value: the ':' of its key, the '-' of its list item.
std::size_t end_of_text_before(std::string_view text, std::size_t offset);
/// False when the quoted text that starts at `offset` has no closing quote.
bool is_closed_quote(std::string_view text, std::size_t offset);
/// True when a document may start at `to`: with "---", or because a line since `from` is the mark
/// "...".
bool is_document_border(std::string_view text, std::size_t from, std::size_t to);

}  // namespace gxr

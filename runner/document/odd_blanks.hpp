#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

namespace gxr {

/// A character that looks like a space, or like nothing, and is text for YAML; or a tab where YAML
/// takes spaces only.
struct OddBlank {
  std::size_t offset = 0;
  std::string text;  ///< "a no-break space (U+00A0) stands at the start of this line"
  std::string hint;
};

/// The one among the blanks at the start of the line that has `offset`, also behind list items'
/// "- ".
std::optional<OddBlank> odd_blank_in_indentation(std::string_view text, std::size_t offset);

/// The one that makes the line before that of `offset` a text without a key, or without a dash.
std::optional<OddBlank> odd_blank_in_line_before(std::string_view text, std::size_t offset);

/// The one that makes the plain text at `offset` another thing than it looks like: a key, a list
/// item, an indented line. `key`: what stands there is the key of a map, with `size` bytes.
std::optional<OddBlank> odd_blank_in_plain(std::string_view text, std::size_t offset,
                                           std::size_t size, bool key);

/// True when a text has a character that looks like a space, or like nothing, and is no space.
bool has_odd_blank(std::string_view text) noexcept;

}  // namespace gxr

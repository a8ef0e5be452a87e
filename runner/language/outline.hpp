#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace gxr::language {

struct OutlineEntry;

/// A part of a text that may be no YAML yet, as far as its lines and brackets tell. Places are
/// bytes of the text.
struct OutlineNode {
  enum class Kind : unsigned char { Scalar, Map, List };
  Kind kind = Kind::Scalar;
  std::string text;                   ///< of a scalar, without quotes and comment; escapes stay
  std::size_t begin = 0;              ///< of a scalar's text, quotes included, or of a document
  std::size_t end = 0;                ///< behind it
  std::vector<OutlineEntry> entries;  ///< of a map
  std::vector<OutlineNode> items;     ///< of a list

  /// The value of the first entry with this key; nullptr: there is none.
  [[nodiscard]] const OutlineNode* find(std::string_view key) const noexcept;
  /// The text of a scalar under this key, else "".
  [[nodiscard]] std::string_view text_of(std::string_view key) const noexcept;
};

/// A key and its value. A line that ends without a colon is a key without a value.
struct OutlineEntry {
  std::string key;
  std::size_t begin = 0;  ///< of the key
  std::size_t end = 0;
  bool has_colon = false;
  OutlineNode value;
};

/// All documents of a text, separated by lines that begin with "---". Never fails.
std::vector<OutlineNode> read_outline(std::string_view text);

/// Where a cursor stands.
struct CursorPlace {
  std::vector<OutlineNode> documents;     ///< of the text; the cursor's word ends with kCursor
  std::size_t document = 0;               ///< the one with the cursor
  std::vector<const OutlineNode*> nodes;  ///< from the document down to the word's map or list
  std::vector<std::string> path;          ///< keys between them; "" for an item of a list
  bool at_key = false;                    ///< the word is a key, or may become one
  std::string word;                       ///< in front of the cursor
  std::size_t begin = 0;                  ///< of the word, in the text
};

/// Marks the cursor in CursorPlace::documents.
inline constexpr char kCursor = '\x01';
/// A text without that mark.
std::string without_cursor(std::string_view text);

/// Nothing: the cursor is in a comment or a block of text.
std::optional<CursorPlace> find_cursor(std::string_view text, std::size_t offset);

}  // namespace gxr::language

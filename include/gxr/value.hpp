#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "gxr/export.hpp"

namespace gxr {

/// Where a value was written. Lines and columns count from 1; line 0 means "nowhere" (made by the
/// program). `source` indexes the SourceMap of the document: an app file, a parameter file, or one
/// `--param` argument.
struct Location {
  std::uint32_t line = 0;    ///< from 1; 0: nowhere
  std::uint32_t column = 0;  ///< from 1
  std::uint16_t source = 0;  ///< which file

  /// Is it in a file or on the command line?
  [[nodiscard]] constexpr bool known() const noexcept { return line != 0; }
  /// The same place?
  friend constexpr bool operator==(const Location& a, const Location& b) noexcept {
    return a.line == b.line && a.column == b.column && a.source == b.source;
  }
};

/// What a YAML node is.
enum class ValueKind : std::uint8_t { Null, Scalar, Sequence, Map };

/// One node of a parsed YAML document: read-only, compact, with its position. Nodes live in the
/// arena of the Document that made them and stay at their address as long as it lives; a Value is
/// passed by reference.
///
/// A plain scalar that YAML 1.2 reads as null (`~`, `null`, `Null`, `NULL`, nothing at all) has
/// kind Null and keeps its text, because GXF reads such a scalar as a string where a string is
/// asked for.
class GXR_API Value {
 public:
  Value() noexcept : quoted_(false), flow_(false) {}

  /// What it is.
  [[nodiscard]] ValueKind kind() const noexcept { return kind_; }
  /// Is it null?
  [[nodiscard]] bool is_null() const noexcept { return kind_ == ValueKind::Null; }
  /// Is it a scalar other than null?
  [[nodiscard]] bool is_scalar() const noexcept { return kind_ == ValueKind::Scalar; }
  /// Is it a list?
  [[nodiscard]] bool is_sequence() const noexcept { return kind_ == ValueKind::Sequence; }
  /// Is it a map?
  [[nodiscard]] bool is_map() const noexcept { return kind_ == ValueKind::Map; }

  /// Text of a scalar or null as the author meant it (quotes and escapes resolved); "" for
  /// collections.
  [[nodiscard]] std::string_view text() const noexcept {
    return is_scalar() || is_null() ? std::string_view{text_, size_} : std::string_view{};
  }
  /// Written in single or double quotes or as a block scalar.
  [[nodiscard]] bool quoted() const noexcept { return quoted_; }
  /// Written in flow style (`[a, b]`, `{a: b}`); collections only.
  [[nodiscard]] bool flow() const noexcept { return flow_; }
  /// Explicit tag, for example "!ms" or "tag:yaml.org,2002:str"; "" when none was written.
  [[nodiscard]] std::string_view tag() const noexcept { return tag_ != nullptr ? tag_ : ""; }
  /// Where it was written.
  [[nodiscard]] Location location() const noexcept { return {line_, column_, source_}; }

  /// Number of elements of a sequence or of entries of a map, else 0.
  [[nodiscard]] std::size_t size() const noexcept {
    return is_sequence() ? size_ : is_map() ? size_ / 2U : 0U;
  }
  /// Element of a sequence. Precondition: is_sequence() and index < size().
  [[nodiscard]] const Value& at(std::size_t index) const noexcept { return children_[index]; }
  /// Key and value of a map entry, in the order written. Precondition: is_map() and index < size().
  [[nodiscard]] const Value& key(std::size_t index) const noexcept { return children_[2 * index]; }
  /// The value that belongs to key(index). Precondition: as for key().
  [[nodiscard]] const Value& value(std::size_t index) const noexcept {
    return children_[2 * index + 1];
  }
  /// Value of the first entry with this scalar key, or nullptr. Linear: maps here are small.
  [[nodiscard]] const Value* find(std::string_view key) const noexcept;

  /// The value as YAML text on one line (flow style), quoted so that it reads back as the same
  /// value.
  [[nodiscard]] std::string to_yaml() const;

  // --- construction, by whoever owns the memory behind it
  // -------------------------------------------------
  /// A scalar, or null; `text` and `tag` must outlive it.
  static Value make_scalar(ValueKind kind, std::string_view text, bool quoted, Location where,
                           const char* tag = nullptr) noexcept {
    Value v(kind, where, tag);
    v.text_ = text.data();
    v.size_ = static_cast<std::uint32_t>(text.size());
    v.quoted_ = quoted;
    return v;
  }
  /// `children` are the elements, or alternating keys and values of a map; `count` counts all of
  /// them.
  static Value make_collection(ValueKind kind, const Value* children, std::size_t count, bool flow,
                               Location where, const char* tag = nullptr) noexcept {
    Value v(kind, where, tag);
    v.children_ = children;
    v.size_ = static_cast<std::uint32_t>(count);
    v.flow_ = flow;
    return v;
  }

 private:
  Value(ValueKind kind, Location where, const char* tag) noexcept
      : line_(where.line),
        column_(where.column),
        source_(where.source),
        kind_(kind),
        quoted_(false),
        flow_(false),
        tag_(tag) {}

  union {
    const char* text_ = nullptr;
    const Value* children_;
  };
  std::uint32_t size_ = 0;
  std::uint32_t line_ = 0;
  std::uint32_t column_ = 0;
  std::uint16_t source_ = 0;
  ValueKind kind_ = ValueKind::Null;
  bool quoted_ : 1;
  bool flow_ : 1;
  const char* tag_ = nullptr;  // NUL-terminated, in the arena
};

}  // namespace gxr

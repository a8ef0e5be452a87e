#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "gxr/value.hpp"

namespace gxr {

/// How many characters a key may have that no '? ' precedes.
inline constexpr std::size_t kLongestKey = 1024;
/// True when a key that is written as `text` needs no '? ' before it; leaves some room.
constexpr bool is_short_key(std::string_view text) noexcept { return text.size() < 1000; }

/// True for a plain scalar that YAML 1.2 reads as null.
bool is_null_text(std::string_view plain) noexcept;
/// `text` as a YAML scalar that may stand anywhere, also in flow collections: plain where that
/// reads back as the same text, else in double quotes.
std::string yaml_scalar(std::string_view text);
/// A key that is written as `text`, and what stands between it and its value in a flow map: "key:
/// ", or "? key : " when it is long.
std::string yaml_key(std::string text);
/// `text` in double quotes, on one line.
std::string yaml_quoted(std::string_view text);
/// A list or a map as yaml-cpp writes it: what the author wrote in block style in block style, the
/// rest in flow style.
std::string yaml_as_written(const Value& collection);
/// An explicit tag as it is written before a value: "!ms", "!!str", "!<tag:example.org,2000:x>".
std::string yaml_tag(std::string_view tag);
/// False for a tag that cannot be written again.
bool is_writable_tag(std::string_view tag) noexcept;

}  // namespace gxr

#pragma once

#include <string>
#include <string_view>

namespace gxr {

/// True for a plain scalar that YAML 1.2 reads as null.
bool is_null_text(std::string_view plain) noexcept;
/// `text` as a YAML scalar that may stand anywhere, also in flow collections: plain where that
/// reads back as the same text, else in double quotes.
std::string yaml_scalar(std::string_view text);
/// `text` in double quotes, on one line.
std::string yaml_quoted(std::string_view text);
/// An explicit tag as it is written before a value: "!ms", "!!str", "!<tag:example.org,2000:x>".
std::string yaml_tag(std::string_view tag);
/// False for a tag that cannot be written again.
bool is_writable_tag(std::string_view tag) noexcept;

}  // namespace gxr

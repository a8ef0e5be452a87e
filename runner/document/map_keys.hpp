#pragma once

#include <string>
#include <string_view>

#include "gxr/value.hpp"

namespace gxr {

/// Is it what the parser makes of a '?' with no key behind it, as in "{? : 3}": a map with an empty
/// key?
inline bool is_empty_key(const Value& key) noexcept {
  return key.is_map() && !key.flow() && key.size() == 1 && key.key(0).is_null() &&
         key.key(0).text().empty();
}

/// What is wrong with the key of a map whose keys are names: "a key has to be text, and this one is
/// a list"; empty when it is text.
std::string flaw_of_key(const Value& key);

/// True for `<<`, which YAML 1.1 knew as the key that merges another map.
constexpr bool is_merge_key(std::string_view key) noexcept { return key == "<<"; }
/// The same, of a key that is written without quotes and has a map or a list of them.
bool merges(const Value& key, const Value& value) noexcept;

inline constexpr const char* kMergeKeyHint =
    "'<<' is a merge key of YAML 1.1; YAML 1.2 has none, and neither gxr nor GXF applies it: write "
    "out what it should bring";

}  // namespace gxr

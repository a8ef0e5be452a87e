#pragma once

#include <cstddef>
#include <string_view>

#include <nlohmann/json_fwd.hpp>

#include "internal_api.hpp"

namespace gxr {

/// What JSON from elsewhere may be: whatever walks the values later calls itself for each level.
struct JsonLimits {
  std::size_t most_bytes = 0;
  std::size_t deepest = 0;  ///< lists and maps within each other
};

/// Reads a text that somebody else wrote. Throws Error(InvalidData) that says what is wrong and
/// quotes nothing of the text that a terminal would obey; nothing is built of a text beyond the
/// limits.
///
/// Never dump() a foreign value, nor print its texts unescaped.
GXR_INTERNAL_API nlohmann::json read_foreign_json(std::string_view text, const JsonLimits& limits);

}  // namespace gxr

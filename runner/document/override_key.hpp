#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace gxr {

/// An address ENTITY/COMPONENT/PARAMETER or ENTITY/PARAMETER in its pieces.
struct OverrideKey {
  std::string entity;     ///< may be empty: all unnamed entities
  std::string component;  ///< empty when left out
  std::string parameter;
};

/// The pieces, or what is wrong with `text` in `problem`.
std::optional<OverrideKey> parse_override_key(std::string_view text, std::string& problem);

}  // namespace gxr

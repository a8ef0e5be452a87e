#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gxr/type_info.hpp"
#include "internal_api.hpp"

namespace gxr {

/// The content of the section `.gxr.types`: JSON with each type on a line of its own, the same for
/// the same types. TypeInfo::extension is not part of it.
GXR_INTERNAL_API std::string types_to_json(const std::vector<TypeInfo>& types);

/// Reads it back. Throws Error(InvalidData) that says where the text is wrong.
std::vector<TypeInfo> types_from_json(std::string_view text);
/// The same of a part of a larger text, which read_foreign_json() read.
std::vector<TypeInfo> types_from_parsed_json(const nlohmann::json& json);

/// Limits of such a text. Each level of a type is a list in a map.
inline constexpr std::size_t kMostBytesOfTypes = std::size_t{16} << 20U;
inline constexpr std::size_t kDeepestTypes = 160;

/// The text of each type in what types_to_json() wrote. Of another text, any parts or none.
std::vector<std::string_view> lines_of_types(std::string_view text);

/// Reads one of them. Throws like types_from_json().
GXR_INTERNAL_API TypeInfo type_from_json(std::string_view text);

/// One type, for commands that print it.
GXR_INTERNAL_API nlohmann::ordered_json to_json(const TypeInfo& type);

}  // namespace gxr

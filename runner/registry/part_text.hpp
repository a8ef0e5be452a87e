#pragma once

#include <span>
#include <string>
#include <string_view>

#include "gxr/type_info.hpp"
#include "internal_api.hpp"

namespace gxr {

/// What a port declares of a part, for people: "gxr::Tensor 'points' of float32, [?, 480, 3]",
/// "gxr::VideoBuffer in RGB or GRAY, optional".
GXR_INTERNAL_API std::string spell(const PartInfo& part);
/// The same for all parts of a port, with "or" in front of alternatives, else `separator`.
GXR_INTERNAL_API std::string spell(std::span<const PartInfo> parts, std::string_view separator);

}  // namespace gxr

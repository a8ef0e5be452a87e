#pragma once

#include <string>

#include "gxr/type_info.hpp"
#include "internal_api.hpp"

namespace gxr {

/// What a port declares of a part, for people: "gxr::Tensor 'points' of float32, [?, 480, 3]",
/// "gxr::VideoBuffer in RGB or GRAY, optional".
GXR_INTERNAL_API std::string spell(const PartInfo& part);

}  // namespace gxr

#pragma once

#include <string>

#include "gxr/type_info.hpp"
#include "internal_api.hpp"

namespace gxr {

/// What a parameter takes, for people: "uint64, default 1, at least 1, in messages, changeable
/// while running".
GXR_INTERNAL_API std::string facts_of(const ParameterInfo& parameter);

}  // namespace gxr

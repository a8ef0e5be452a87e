#pragma once

#include "gxr/value.hpp"

namespace gxr::detail {

/// Reads a duration as parse_duration() does. Throws the same Error as for what is no duration when
/// it is 0, which most parameters cannot use.
void require_more_than_zero(const Value& value);

}  // namespace gxr::detail

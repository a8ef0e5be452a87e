#pragma once

#include <cstdint>
#include <string>

#include "gxr/type_info.hpp"
#include "internal_api.hpp"

namespace gxr {

/// A duration in the largest unit that leaves a whole number: "33ms".
[[nodiscard]] std::string exact_duration(std::int64_t nanoseconds);

/// An end of the parameter's range: "1", "10ms", "65500B".
[[nodiscard]] std::string bound_text(const ParameterInfo& parameter, double bound);

/// What a parameter takes, for people: "uint64, default 1, at least 1, in messages, changeable
/// while running".
GXR_INTERNAL_API std::string facts_of(const ParameterInfo& parameter);

}  // namespace gxr

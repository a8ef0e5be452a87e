#pragma once

#include <string>

#include "gxr/error.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// The value as a message quotes it: on one line, cut when long; "nothing" for an empty value, "a
/// list", "a map".
std::string quote_value(const Value& value);
/// Throws InvalidParameter: "'x' is not an integer; accepted are ...".
[[noreturn]] void throw_not(const Value& value, const std::string& what,
                            const std::string& accepted);
/// Throws OutOfRange: "'300' is out of range; ...".
[[noreturn]] void throw_range(const Value& value, const std::string& range);
/// The text of a scalar; throws throw_not for anything else.
std::string_view scalar_text(const Value& value, const std::string& what,
                             const std::string& accepted);

}  // namespace gxr

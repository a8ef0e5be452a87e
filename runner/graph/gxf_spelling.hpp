#pragma once

#include <optional>
#include <string>

#include "gxr/type_info.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// What GXF makes of a scalar that does not mean what it seems to.
struct GxfReading {
  std::string value;   ///< YAML text of the value that GXF would use
  std::string reason;  ///< "a leading 0 means octal"
  std::string advice;  ///< "write 10"
  std::string range;   ///< "between 0 and 255", when the number is outside of it; else empty
};

/// The reading of `value` as `kind`, or nothing when GXF refuses it too. Precondition:
/// is_octal() of its text, or it is no value of `kind`.
std::optional<GxfReading> gxf_reading(const Value& value, ParameterType::Kind kind);

}  // namespace gxr

#pragma once

#include <nlohmann/json_fwd.hpp>

#include "gxr/type_info.hpp"

namespace gxr {

/// JSON Schema (draft 7) of the values that a parameter accepts, with its texts, default, range and
/// choices in the keywords that editors show. Scalars are accepted in every spelling that gxr
/// reads, such as quoted and hexadecimal numbers.
nlohmann::ordered_json parameter_schema(const ParameterInfo& parameter);

/// The same without texts and default: two parameters of the same key can have equal ones.
nlohmann::ordered_json value_schema(const ParameterInfo& parameter);

}  // namespace gxr

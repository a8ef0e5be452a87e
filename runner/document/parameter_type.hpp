#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gxr/type_info.hpp"

namespace gxr {

/// The inverse of to_string(ParameterType): "list<float64>", "handle<gxr::Receiver>", "array<int32,
/// 3>". The choices of an enumeration and the C++ name of `any` are not part of the text. Throws
/// Error(InvalidData) for anything else.
ParameterType parse_parameter_type(std::string_view text);

/// What is wrong with a type that was made by hand or read: a kind that there is not, or other
/// element types than its kind needs. Empty: nothing.
std::string flaw_of_elements(const ParameterType& type);

/// True for integers and floating-point numbers.
constexpr bool is_number(ParameterType::Kind kind) noexcept {
  return kind >= ParameterType::Kind::Int8 && kind <= ParameterType::Kind::Float64;
}

/// The name of a kind alone: "float64", "list".
std::string_view to_string(ParameterType::Kind kind);
/// Its inverse.
std::optional<ParameterType::Kind> parse_parameter_kind(std::string_view name);

}  // namespace gxr

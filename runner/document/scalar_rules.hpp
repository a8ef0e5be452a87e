#pragma once

#include <optional>

#include "gxr/type_info.hpp"
#include "gxr/value.hpp"

namespace gxr {

// What a declaration says of single values, for all who check them before a component gets them.

/// Reads the value as a component does that has this parameter: by the ParameterTraits of `type`,
/// which is the parameter's or that of an element. Gives the number of types that are numbers, of
/// durations in nanoseconds and of sizes in bytes. Lists, maps, handles, enumerations and types of
/// others are not for it: it gives nothing. Throws what ParameterTraits::parse() throws, and
/// Error(OutOfRange) for a text with more bytes than the type has room for.
std::optional<double> read_scalar(const Value& value, const ParameterType& type,
                                  const ParameterInfo& parameter);

/// Is the number in the range of the parameter?
[[nodiscard]] bool in_range(const ParameterInfo& info, double number) noexcept;

/// Is it a duration or a size, whose number stands with a unit?
[[nodiscard]] bool is_quantity(const ParameterType& type) noexcept;

/// Does the value stand for this choice? `number` is what read_scalar() gave.
[[nodiscard]] bool is_choice(const Choice& choice, const Value& value,
                             std::optional<double> number) noexcept;

}  // namespace gxr

#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "gxr/type_info.hpp"
#include "gxr/value.hpp"

namespace gxr {

// The rules for the form of lists and maps, for the checks and for the components.

/// How many elements a list may have.
struct Lengths {
  std::size_t least;
  std::size_t most;
};
/// Precondition: the type is a list, an array or a pair.
Lengths lengths_of(const ParameterType& type) noexcept;

enum class FormFlaw : std::uint8_t { None, Kind, Length };
FormFlaw flaw_of_list(const Value& value, const Lengths& lengths) noexcept;
FormFlaw flaw_of_map(const Value& value) noexcept;

}  // namespace gxr

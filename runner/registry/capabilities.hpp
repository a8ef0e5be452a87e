#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "gxr/component.hpp"
#include "gxr/type_info.hpp"
#include "internal_api.hpp"

namespace gxr {

/// What the parameter `launch` of Interface::branch_every() may be: the words of a BranchLaunch.
inline constexpr std::string_view kBranchLaunches[] = {"in_iteration", "fire_and_forget",
                                                       "sibling"};

/// "limits_ticks": the function of Interface that declares it, or its name in a type list.
[[nodiscard]] std::string_view to_string(Capability::Kind kind) noexcept;
[[nodiscard]] std::optional<Capability::Kind> parse_capability_kind(std::string_view name) noexcept;

/// For people, with its parameters: "limits the count of ticks to 'count'".
[[nodiscard]] GXR_INTERNAL_API std::string describe_capability(const Capability& capability);

/// What contradicts itself in the capabilities of a type, as far as its description tells; empty:
/// nothing. "limits_ticks() names the parameter 'cuont', which it does not declare"
[[nodiscard]] std::string flaw_of_capabilities(const TypeInfo& type);

/// The same, by a component of the type: "limits_ticks() is for scheduling terms". The parameters
/// need not have been checked.
[[nodiscard]] std::string flaw_of_capabilities(const TypeInfo& type, const Component& component);

/// Adds the capabilities of a type that the base classes of its component tell.
void add_found_capabilities(const Component& component, TypeInfo& type);

}  // namespace gxr

#pragma once

#include <string>
#include <string_view>

namespace gxr {

/// The extension in which GXF has a type that this version does not have; empty for all others.
[[nodiscard]] std::string_view gxf_extension_of(std::string_view type) noexcept;

/// What to write for an operator of Holoscan, by its name with or without namespace; empty for all
/// other names.
[[nodiscard]] std::string hint_for_holoscan(std::string_view type);

}  // namespace gxr

#pragma once

#include <string_view>

namespace gxr {

/// The extension in which GXF has a type that this version does not have; empty for all others.
[[nodiscard]] std::string_view gxf_extension_of(std::string_view type) noexcept;

}  // namespace gxr

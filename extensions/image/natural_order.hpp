#pragma once

#include <string_view>

namespace gxr::image {

/// Orders names as people count: "frame-9" before "frame-10". Runs of digits compare as numbers of
/// any length, all else byte by byte; names that differ only in leading zeros compare as text.
[[nodiscard]] bool natural_less(std::string_view a, std::string_view b) noexcept;

}  // namespace gxr::image

#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace gxr {

/// Throws Error(OutOfRange) that names the cores that this machine does not have. `key`: the
/// parameter that lists them.
void require_cores(std::span<const std::uint32_t> cores, std::string_view key);

/// "cores 0, 1 and 5", "core 3".
std::string cores_text(std::span<const std::uint32_t> cores);

}  // namespace gxr

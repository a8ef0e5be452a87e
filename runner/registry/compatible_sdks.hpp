#pragma once

#include <array>
#include <string_view>

namespace gxr {

/// Fingerprints of older public headers with which extensions may have been built all the same. For
/// each, tests/structure/abi/ has a description of the library of that time, and the test
/// structure/abi compares it with today's.
inline constexpr std::array<std::string_view, 0> kCompatibleSdks{};

}  // namespace gxr

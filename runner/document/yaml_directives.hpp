#pragma once

#include <cstddef>
#include <string_view>
#include <vector>

namespace gxr {

/// Offsets of the points in the versions of all directives "%YAML 1.2", in order.
std::vector<std::size_t> find_version_points(std::string_view text);

}  // namespace gxr

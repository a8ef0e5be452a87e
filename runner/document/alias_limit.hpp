#pragma once

#include <cstdint>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/tree_builder.hpp"

namespace gxr {

/// How many nodes aliases may add to all files together: later walks follow every alias.
inline constexpr std::uint64_t kMostAliasNodes = 4'000'000;

/// Removes the trees whose aliases go beyond the bound, with an error each. `used` counts over
/// several files. True when there was one.
bool drop_wide_trees(std::vector<YamlTree>& trees, std::uint64_t& used, Diagnostics& diagnostics);

}  // namespace gxr

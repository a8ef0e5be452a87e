#pragma once

#include <cstdint>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/yaml_tree.hpp"

namespace gxr {

/// How many levels deep values may nest when aliases are followed, so that what is written without
/// aliases can be read again (the parser takes 499 levels), and walks may recurse.
inline constexpr std::uint32_t kDeepestNesting = 490;
/// The same for a value that is set from outside: it goes below a component's parameters.
inline constexpr std::uint32_t kDeepestSetValue = 480;

/// How many nodes aliases may add to all files together: later walks follow every alias.
inline constexpr std::uint64_t kMostAliasNodes = 4'000'000;

/// Removes the trees whose aliases go beyond the bound, with an error each. `used` counts over
/// several files. True when there was one.
bool drop_wide_trees(std::vector<YamlTree>& trees, std::uint64_t& used, Diagnostics& diagnostics);

}  // namespace gxr

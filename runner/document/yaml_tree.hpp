#pragma once

#include <cstdint>
#include <vector>

#include "document/diagnostics.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// One YAML document as a tree.
struct YamlTree {
  const Value* root = nullptr;
  std::uint32_t depth = 1;        ///< levels, aliases followed; 1 is a single value
  std::uint64_t alias_nodes = 0;  ///< nodes that a walk meets again because of aliases
  Location widest_alias;          ///< the alias that adds the most of them
};

/// The YAML documents of a text, in order, and what is wrong with it. Severities are not decided
/// yet.
struct YamlTrees {
  std::vector<YamlTree> trees;  ///< also those whose root is null or no map
  std::vector<Diagnostic> problems;
};

}  // namespace gxr

#pragma once

#include <vector>

#include "document/arena.hpp"
#include "document/diagnostics.hpp"
#include "document/tree_builder.hpp"
#include "document/yaml_source.hpp"

namespace gxr {

/// The YAML documents of a text, in order, and what is wrong with it. Severities are not decided
/// yet.
struct YamlTrees {
  std::vector<YamlTree> trees;  ///< also those whose root is null or no map
  std::vector<Diagnostic> problems;
};

/// Reads one stretch of YAML and appends to `result`. What an error leaves unread is skipped. The
/// values refer to the arena and to the stretch's text.
void parse_yaml(const YamlStretch& stretch, Arena& arena, YamlTrees& result);

}  // namespace gxr

#pragma once

#include "document/arena.hpp"
#include "document/yaml_source.hpp"
#include "document/yaml_tree.hpp"

namespace gxr {

/// Reads one stretch of YAML and appends to `result`. What an error leaves unread is skipped. The
/// values refer to the arena and to the stretch's text. Any thread may call it. Throws
/// Error(NotFound) when libgxr_yaml.so, which does it, cannot be loaded.
void parse_yaml(const YamlStretch& stretch, Arena& arena, YamlTrees& result);

}  // namespace gxr

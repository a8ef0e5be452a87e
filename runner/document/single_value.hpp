#pragma once

#include <vector>

#include "document/arena.hpp"
#include "document/diagnostics.hpp"
#include "document/yaml_source.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// Reads what stands behind the '=' of an argument: YAML, or a text that is none but can only mean
/// itself. Nothing at all is null. nullptr if it cannot be read; what is wrong goes to `problems`,
/// with `code` for syntax errors.
const Value* read_single_value(const YamlStretch& stretch, DiagnosticCode code, Arena& arena,
                               std::vector<Diagnostic>& problems);

}  // namespace gxr

#pragma once

#include <vector>

#include "document/diagnostics.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// Adds a diagnostic for every key of `map` that stands in it a second time. Looks at this map
/// only.
void find_duplicate_keys(const Value& map, std::vector<Diagnostic>& problems);

}  // namespace gxr

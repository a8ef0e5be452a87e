#pragma once

#include <vector>

#include "document/diagnostics.hpp"
#include "gxr/value.hpp"

namespace gxr {

/// Adds a diagnostic for every key of `map` that stands in it a second time. Looks at this map
/// only.
void find_duplicate_keys(const Value& map, std::vector<Diagnostic>& problems);

/// The documents that were meant where a '---' is missing: those of a map with keys of a document
/// that stand in it a second time. That was reported; all other documents come back as they are.
std::vector<Value> split_documents_without_separator(const Value& map);

}  // namespace gxr

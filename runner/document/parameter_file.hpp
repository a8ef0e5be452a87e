#pragma once

#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"

namespace gxr {

/// True for a document of addresses and values, false for one of GXF's entity documents.
bool is_parameter_map(const Value& root);
/// The first key of a document whose keys all are addresses; nullptr for others.
const Value* address_in(const Value& root);
/// Appends an override for each entry of a map from ENTITY/[COMPONENT/]PARAMETER to values.
void read_parameter_map(const Value& root, std::vector<Override>& overrides,
                        Diagnostics& diagnostics);

}  // namespace gxr

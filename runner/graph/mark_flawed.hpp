#pragma once

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"

namespace gxr {

/// Marks the entities and components in whose text an error was reported. The validation passes say
/// nothing that would follow from what is wrong there: MessageFlow takes what is marked for
/// something that may do anything.
void mark_flawed(const Document& document, const Diagnostics& diagnostics, Graph& graph);

}  // namespace gxr

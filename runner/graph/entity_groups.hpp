#pragma once

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "graph/suggester.hpp"

namespace gxr {

/// Step of resolve: GXF's `EntityGroups`. An entity that is listed again moves to the later group,
/// as in GXF.
void make_entity_groups(const Document& document, Suggester& suggester, Diagnostics& diagnostics,
                        Graph& graph);

}  // namespace gxr

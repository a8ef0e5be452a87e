#pragma once

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Step of resolve: the links that connections declare, in their order, then those of topics. A
/// repeated link is marked and reported.
void make_links(const TypeCatalog& catalog, Diagnostics& diagnostics, Graph& graph);

}  // namespace gxr

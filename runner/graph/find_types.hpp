#pragma once

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "graph/suggester.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Step of resolve: the type of every component, looked up once for each name. Says nothing of
/// unknown types when an extension could not be read, because that is the reason.
void find_types(const TypeCatalog& catalog, Suggester& suggester, Diagnostics& diagnostics,
                Graph& graph);

}  // namespace gxr

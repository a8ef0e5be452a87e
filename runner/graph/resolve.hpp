#pragma once

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Document to Graph: finds types, checks parameters, resolves handles and links, then runs all
/// validation passes. Reports every problem it finds; the graph is complete only when `diagnostics`
/// has no errors.
Graph resolve(Document& document, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// The same for a graph that assemble() has filled; between the two the extensions can be found
/// that included files name.
void resolve(Document& document, const TypeCatalog& catalog, Diagnostics& diagnostics,
             Graph& graph);

}  // namespace gxr

#pragma once

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "graph/suggester.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Step of resolve: every parameter against what its type declares; handles get their targets.
/// Components of unknown type are left alone.
void check_parameters(Document& document, const TypeCatalog& catalog, Suggester& suggester,
                      Diagnostics& diagnostics, Graph& graph);

/// The same of one component, which has a type. `document` gets what replaces values.
void check_parameters(Document& document, const SourceMap& sources, const TypeCatalog& catalog,
                      Suggester& suggester, Diagnostics& diagnostics, Graph& graph,
                      GraphComponent& component);

}  // namespace gxr

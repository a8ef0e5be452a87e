#pragma once

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "graph/suggester.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Step of resolve: puts the values given outside the app files into the components that they name;
/// later ones win. Sets Override::matched and reports those that name nothing or too much.
void apply_overrides(Document& document, const TypeCatalog& catalog, Suggester& suggester,
                     Diagnostics& diagnostics, Graph& graph);

}  // namespace gxr

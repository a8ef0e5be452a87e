#pragma once

#include <functional>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/assemble.hpp"
#include "graph/graph.hpp"
#include "internal_api.hpp"
#include "registry/extension_search.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Document to Graph: finds types, checks parameters, resolves handles and links, then runs all
/// validation passes. Reports every problem it finds; the graph is complete only when `diagnostics`
/// has no errors.
Graph resolve(Document& document, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// The same, and finds the extensions on the way, also those that included files name: `catalog`
/// and `graph` are filled. Stops before the first stage for which too much of the files is missing,
/// so that one unreadable file is not followed by a mistake for everything that it would have
/// defined.
/// `add_documents`, if there is one, is called with the types before anything else needs the
/// documents.
GXR_INTERNAL_API void resolve(Document& document, const AssembleOptions& assembly,
                              const ExtensionSearch& places, Diagnostics& diagnostics,
                              TypeCatalog& catalog, Graph& graph,
                              const std::function<void(const TypeCatalog&)>& add_documents = {});

}  // namespace gxr

#pragma once

#include <cstddef>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "internal_api.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Is the document, made of so many files, that of a subgraph without the application that includes
/// it? Then it has names for that application, and no scheduler.
GXR_INTERNAL_API bool is_part_alone(const Document& document, const Graph& graph,
                                    const TypeCatalog& catalog, std::size_t files);

/// Is that for the application to bring which includes a subgraph?
GXR_INTERNAL_API bool concerns_the_includer(const Diagnostic& diagnostic);

/// Removes what does.
GXR_INTERNAL_API void drop_concerns_of_includer(Diagnostics& diagnostics);

/// Puts an entity around the components of documents that have none: a list of components, or one
/// alone. What is wrong with them was reported, or will be.
GXR_INTERNAL_API void put_into_entities(Document& document);

/// Is the problem about what is to be around entities and components: an entity for components, a
/// scheduler, an end of a connection?
GXR_INTERNAL_API bool lacks_surroundings(const Diagnostic& diagnostic, const Document& document);

}  // namespace gxr

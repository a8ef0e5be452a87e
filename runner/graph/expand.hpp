#pragma once

#include <string>

#include "document/document.hpp"
#include "graph/graph.hpp"
#include "internal_api.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// The application as one GXF YAML file that loads to the same graph: entities in the order in
/// which they are made, documents of one entity put together, overrides applied, extensions by
/// their absolute path. Precondition: `graph` was made from `document` without errors.
GXR_INTERNAL_API std::string expand(const Graph& graph, const Document& document);

/// The same with all entities in the short form that have one: which gives back their components,
/// parameters and connections. Names of codelets and terms are lost, unless something refers to
/// them.
GXR_INTERNAL_API std::string expand_short(const Graph& graph, const Document& document,
                                          const TypeCatalog& catalog);

}  // namespace gxr

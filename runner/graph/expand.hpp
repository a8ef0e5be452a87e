#pragma once

#include <string>

#include "document/document.hpp"
#include "graph/graph.hpp"
#include "internal_api.hpp"

namespace gxr {

/// The application as one GXF YAML file that loads to the same graph: entities in the order in
/// which they are made, documents of one entity put together, overrides applied, extensions by
/// their absolute path. Precondition: `graph` was made from `document` without errors.
GXR_INTERNAL_API std::string expand(const Graph& graph, const Document& document);

}  // namespace gxr

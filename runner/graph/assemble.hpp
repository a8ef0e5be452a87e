#pragma once

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"

namespace gxr {

/// First step of resolve: the entities and components of all documents in order, with their
/// parameters as written. Knows no types; reports what is wrong with the shape of the documents.
void assemble(const Document& document, Diagnostics& diagnostics, Graph& graph);

}  // namespace gxr

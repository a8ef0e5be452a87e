#pragma once

#include <string>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"

namespace gxr {

struct AssembleOptions {
  std::string root;  ///< folder that relative locations of subgraphs count from; may be empty
};

/// First step of resolve: the entities and components of all documents in order, with their
/// parameters as written; files of subgraphs are read and put in their place. Knows no types;
/// reports what is wrong with the shape of the documents.
void assemble(Document& document, const AssembleOptions& options, Diagnostics& diagnostics,
              Graph& graph);

}  // namespace gxr

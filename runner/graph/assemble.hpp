#pragma once

#include <functional>
#include <string>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

struct AssembleOptions {
  std::string root;  ///< folder that relative names of files count from; may be empty
};

/// First step of resolve: the entities and components of all documents in order, with their
/// parameters as written; files of subgraphs are read and put in their place. Reports what is wrong
/// with the shape of the documents. Knows no types, unless documents are in the short form: then
/// it puts all together a second time, with what `find_types` returns, which is called once at
/// most.
void assemble(Document& document, const AssembleOptions& options,
              const std::function<const TypeCatalog&()>& find_types, Diagnostics& diagnostics,
              Graph& graph);

/// Parts of the files are missing, so whatever refers to them would be called a mistake too.
[[nodiscard]] bool has_gaps(const Diagnostics& diagnostics);

}  // namespace gxr

#pragma once

#include <cstddef>
#include <span>
#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"

namespace gxr {

/// Indices of `parts`, the documents of one file, in the order in which their entities are made:
/// documents named by the file's `start_order` first, in its order, then the others as written.
/// `graph` knows the names that documents lost to errors.
std::vector<std::size_t> start_order(std::span<const DocumentPart> parts, const Graph& graph,
                                     Diagnostics& diagnostics);

}  // namespace gxr

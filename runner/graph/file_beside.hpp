#pragma once

#include "document/source.hpp"
#include "graph/graph.hpp"
#include "gxr/report.hpp"
#include "internal_api.hpp"

namespace gxr {

/// Adds to the failure of a component that names a file which is not in the working folder, but
/// stands beside the file that says its name, or beside the application: where, and how to name it.
GXR_INTERNAL_API void explain_missing_file(const Graph& graph, const SourceMap& sources,
                                           Failure& failure);

}  // namespace gxr

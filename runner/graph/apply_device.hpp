#pragma once

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"

namespace gxr {

/// Step of resolve, before apply_overrides: puts what --device says into all components whose
/// parameter `device` has the choices cpu, gpu and auto. Reports an application without any.
void apply_device(const Document& document, Diagnostics& diagnostics, Graph& graph);

}  // namespace gxr

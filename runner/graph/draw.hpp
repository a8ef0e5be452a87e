#pragma once

#include <string>
#include <string_view>

#include "graph/drawing.hpp"
#include "internal_api.hpp"

namespace gxr {

/// Pictures of a graph: entities that work as boxes with the types of their codelets, connections
/// as edges with the names of both ports, from left to right; a frame around each cluster.
GXR_INTERNAL_API std::string draw_dot(const Drawing& drawing);
GXR_INTERNAL_API std::string draw_mermaid(const Drawing& drawing);
/// For a terminal: each entity with what it sends to whom; clusters behind the others.
GXR_INTERNAL_API std::string draw_text(const Drawing& drawing);

/// One of these, or a picture that Graphviz makes. `format` is "text", "dot", "mermaid", "svg" or
/// "png"; throws Error(InvalidArgument) for another one, and what run_graphviz() throws.
GXR_INTERNAL_API std::string draw(const Drawing& drawing, std::string_view format);

}  // namespace gxr

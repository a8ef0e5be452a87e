#pragma once

#include <string>

#include "graph/drawing.hpp"

namespace gxr {

/// Pictures of a graph: entities that work as boxes with the types of their codelets, connections
/// as edges with the names of both ports, from left to right; a frame around each cluster.
std::string draw_dot(const Drawing& drawing);
std::string draw_mermaid(const Drawing& drawing);
/// For a terminal: each entity with what it sends to whom; clusters behind the others.
std::string draw_text(const Drawing& drawing);

}  // namespace gxr

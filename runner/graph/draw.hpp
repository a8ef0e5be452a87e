#pragma once

#include <string>

#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Pictures of a graph: entities that work as boxes with the types of their codelets, connections
/// as edges with the names of both ports, from left to right.
std::string draw_dot(const Graph& graph, const TypeCatalog& catalog);
std::string draw_mermaid(const Graph& graph, const TypeCatalog& catalog);
/// For a terminal: each entity with what it sends to whom.
std::string draw_text(const Graph& graph, const TypeCatalog& catalog);

}  // namespace gxr

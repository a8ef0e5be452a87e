#pragma once

#include <vector>

#include "graph/graph.hpp"

namespace gxr {

/// Components of an entity whose types no extension has and that may be codelets, as far as names
/// tell: none that end like those of queues, terms and schedulers, and no connections.
[[nodiscard]] std::vector<ComponentId> unknown_work(const Graph& graph, const GraphEntity& entity);

/// Has the component the parameters 'source' and 'target', by which connections of all kinds name
/// their ends?
[[nodiscard]] bool has_ends(const GraphComponent& component);

/// Does the graph have a component whose type no extension has?
[[nodiscard]] bool has_unknown_types(const Graph& graph);

}  // namespace gxr

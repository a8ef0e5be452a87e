#pragma once

#include <vector>

#include "graph/graph.hpp"
#include "graph/roles.hpp"

namespace gxr {

/// By EntityId: does the entity have a codelet? One with a component of unknown type may well have.
[[nodiscard]] std::vector<bool> entities_with_codelets(const Graph& graph, Roles& roles);

}  // namespace gxr

#pragma once

#include <vector>

#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// All entities in the order in which GXF activates them: those with a System, then with a Router,
/// a Connection, a NetworkContext, then the others; in order of creation within each class.
std::vector<EntityId> activation_order(const Graph& graph, const TypeCatalog& catalog);

}  // namespace gxr

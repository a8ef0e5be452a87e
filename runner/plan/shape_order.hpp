#pragma once

#include <vector>

#include "plan/work_graph.hpp"

namespace gxr {

/// The entities of an application and the order in which they are asked. Made once for
/// several questions; refers to graph and catalog.
struct ShapeOrder {
  ShapeOrder(const Graph& graph, const TypeCatalog& catalog);

  WorkGraph work;
  std::vector<EntityId> entities;  ///< writers before readers
};

}  // namespace gxr

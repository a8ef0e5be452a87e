#include "graph/entity_places.hpp"
#include "graph/passes/passes.hpp"

namespace gxr::passes {

void placements(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  if (EntityPlaces::has_component(graph)) {
    EntityPlaces(graph, catalog, diagnostics).read_application();
  }
}

}  // namespace gxr::passes

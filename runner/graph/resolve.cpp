#include "graph/resolve.hpp"

#include "graph/apply_overrides.hpp"
#include "graph/assemble.hpp"
#include "graph/check_parameters.hpp"
#include "graph/entity_groups.hpp"
#include "graph/find_types.hpp"
#include "graph/make_links.hpp"
#include "graph/passes/passes.hpp"
#include "graph/suggester.hpp"

namespace gxr {

Graph resolve(Document& document, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  Graph graph;
  Suggester suggester(graph, catalog);
  assemble(document, diagnostics, graph);
  find_types(catalog, suggester, diagnostics, graph);
  apply_overrides(document, catalog, suggester, diagnostics, graph);
  check_parameters(document, catalog, suggester, diagnostics, graph);
  make_links(catalog, diagnostics, graph);
  make_entity_groups(document, suggester, diagnostics, graph);
  for (const Pass& pass : validation_passes()) {
    pass.run(graph, catalog, diagnostics);
  }
  return graph;
}

}  // namespace gxr

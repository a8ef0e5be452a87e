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
  assemble(document, {}, diagnostics, graph);
  resolve(document, catalog, diagnostics, graph);
  return graph;
}

void resolve(Document& document, const TypeCatalog& catalog, Diagnostics& diagnostics,
             Graph& graph) {
  Suggester suggester(graph, catalog);
  find_types(catalog, suggester, diagnostics, graph);
  find_group_resources(catalog, graph);
  apply_overrides(document, catalog, suggester, diagnostics, graph);
  check_parameters(document, catalog, suggester, diagnostics, graph);
  make_links(catalog, diagnostics, graph);
  for (const Pass& pass : validation_passes()) {
    pass.run(graph, catalog, diagnostics);
  }
}

}  // namespace gxr

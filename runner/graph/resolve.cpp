#include "graph/resolve.hpp"

#include "graph/apply_device.hpp"
#include "graph/apply_overrides.hpp"
#include "graph/assemble.hpp"
#include "graph/check_parameters.hpp"
#include "graph/deadline_rule.hpp"
#include "graph/entity_groups.hpp"
#include "graph/find_types.hpp"
#include "graph/make_links.hpp"
#include "graph/mark_flawed.hpp"
#include "graph/passes/passes.hpp"
#include "graph/suggester.hpp"

namespace gxr {
namespace {

void resolve_assembled(Document& document, const TypeCatalog& catalog, Diagnostics& diagnostics,
                       Graph& graph) {
  Suggester suggester(graph, catalog);
  find_types(catalog, suggester, diagnostics, graph);
  find_group_resources(catalog, graph);
  apply_device(document, diagnostics, graph);
  apply_overrides(document, catalog, suggester, diagnostics, graph);
  check_parameters(document, catalog, suggester, diagnostics, graph);
  make_links(catalog, diagnostics, graph);
  find_deadline_sources(suggester, diagnostics, graph);
  mark_flawed(document, diagnostics, graph);
  for (const Pass& pass : validation_passes()) {
    pass.run(graph, catalog, diagnostics);
  }
}

}  // namespace

Graph resolve(Document& document, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  Graph graph;
  assemble(
      document, {}, [&]() -> const TypeCatalog& { return catalog; }, diagnostics, graph);
  resolve_assembled(document, catalog, diagnostics, graph);
  return graph;
}

void resolve(Document& document, const AssembleOptions& assembly, const ExtensionSearch& places,
             Diagnostics& diagnostics, TypeCatalog& catalog, Graph& graph,
             const std::function<void(const TypeCatalog&)>& add_documents) {
  if (has_gaps(diagnostics)) {
    return;
  }
  bool found = false;
  const auto find = [&]() -> const TypeCatalog& {
    if (!found) {
      catalog = find_extensions(places, document, diagnostics);
      found = true;
    }
    return catalog;
  };
  if (add_documents) {
    add_documents(find());
    if (has_gaps(diagnostics)) {
      return;
    }
  }
  if (!diagnostics.compat_gxf()) {  // GXF's option is about application files alone
    document.set_file_root(assembly.root);
  }
  assemble(document, assembly, find, diagnostics, graph);
  if (has_gaps(diagnostics)) {
    return;
  }
  find();
  resolve_assembled(document, catalog, diagnostics, graph);
}

}  // namespace gxr

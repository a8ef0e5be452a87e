#pragma once

#include <vector>

#include "document/diagnostics.hpp"
#include "document/document.hpp"
#include "graph/graph.hpp"
#include "graph/suggester.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// The components that a value given outside the app files is for, each with a parameter of that
/// name. None when it names nothing or too much, which is reported. Sets Override::matched.
std::vector<ComponentId> find_override_targets(Override& override_, const TypeCatalog& catalog,
                                               Suggester& suggester, Diagnostics& diagnostics,
                                               const Graph& graph);
/// What the override says of its parameter; refers to it. Nothing is checked.
ParameterAssignment assignment_by(const Override& override_, const GraphComponent& target,
                                  const Graph& graph);

/// Step of resolve: puts the values given outside the app files into the components that they name;
/// later ones win. Sets Override::matched and reports those that name nothing or too much.
void apply_overrides(Document& document, const TypeCatalog& catalog, Suggester& suggester,
                     Diagnostics& diagnostics, Graph& graph);

}  // namespace gxr

#pragma once

#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "document/document.hpp"
#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// A codelet in the place of another one: which, and what it is to be.
struct SwapPlan {
  ComponentId component = kNone;
  const TypeInfo* type = nullptr;
  std::map<std::string, std::string> values = {};  ///< YAML of parameters that were set meanwhile
};

/// The codelet that "ENTITY" or "ENTITY/COMPONENT" names. Throws Error(NotFound), with what may be
/// meant, or Error(NotSupported) for what is no codelet.
ComponentId find_codelet(const Graph& graph, const TypeCatalog& catalog, const std::string& name);

/// Throws Error(NotSupported) when other components hold handles to the codelet, and names them.
void require_no_handles_to(const Graph& graph, ComponentId codelet);

/// The graph with the codelet of the plan in it, checked as resolve() does. `document` gets what
/// replaces values; `sources` are those of the graph. Throws Error(InvalidParameter or OutOfRange)
/// with all that does not fit, those of a file with their place.
Graph check_swap(const Graph& graph, const SwapPlan& plan, const TypeCatalog& catalog,
                 const SourceMap& sources, Document& document, bool compat_gxf);

}  // namespace gxr

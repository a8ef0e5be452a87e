#pragma once

#include <vector>

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "graph/suggester.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// The value of `EntityGroups` in a file of a scope.
struct GroupList {
  const Value* list = nullptr;
  ScopeId scope = 0;
};

/// Step of assembling: GXF's `EntityGroups`. All entities start in the default group; one that is
/// listed moves to the later group, as in GXF.
void make_entity_groups(const std::vector<GroupList>& lists, Suggester& suggester,
                        Diagnostics& diagnostics, Graph& graph);
/// Step of resolve: the components of each group that are resources. Needs the types.
void find_group_resources(const TypeCatalog& catalog, Graph& graph);

}  // namespace gxr

#pragma once

#include <cstdint>
#include <vector>

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "plan/work_graph.hpp"

namespace gxr {

/// The entity that a name in a list of the files means, or the entities with codelets of the
/// subgraph of this name; empty when there is neither.
std::vector<EntityId> entities_called(const WorkGraph& work, const ParameterAssignment& list,
                                      const Value& name);
/// A name in a list of a branch.
struct BranchName {
  const ParameterAssignment* list = nullptr;  ///< the parameter
  const Value* name = nullptr;
  std::uint32_t alternative = 0;
};
std::vector<BranchName> names_in(const GraphComponent& branch);

/// What the type of a component declares as a branch of CUDA graphs; nullptr: nothing. Its keys are
/// in the order of Interface::branch_if() and so on.
const Capability* branch_of(const GraphComponent& component);
/// Precondition: branch_of() gave it.
BranchKind kind_of(const Capability& branch);
/// Reports a name for which there are none.
void report_no_entity(const Graph& graph, const Value& name, Diagnostics& diagnostics);

}  // namespace gxr

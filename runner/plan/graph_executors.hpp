#pragma once

#include <vector>

#include "device/graph_options.hpp"
#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "plan/work_graph.hpp"

namespace gxr {

/// An entity that a GraphExecutor names, and where.
struct NamedEntity {
  EntityId entity = kNone;
  const Value* name = nullptr;
};

/// A gxr::cuda::GraphExecutor of the YAML.
struct GraphExecutorEntry {
  const GraphComponent* component = nullptr;
  GraphOptions options;
  bool names_entities = false;  ///< false: it takes every connected set of capturable operators
  std::vector<NamedEntity> entities;  ///< each once
};

/// Has the application any?
bool has_graph_executor(const Graph& graph);
/// All of them, in order. Reports names of no entity.
std::vector<GraphExecutorEntry> find_graph_executors(const WorkGraph& work,
                                                     Diagnostics& diagnostics);

}  // namespace gxr

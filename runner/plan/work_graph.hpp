#pragma once

#include <cstdint>
#include <vector>

#include "graph/graph.hpp"
#include "plan/branches.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// An entity that does work, as the planner of CUDA graphs sees it.
struct WorkEntity {
  enum class Kind : std::uint8_t {
    Idle,      ///< has no codelet
    Operator,  ///< has one codelet, which is capturable
    Passage,   ///< has one codelet, which passes each message on unchanged
    Other,
  };
  Kind kind = Kind::Idle;
  std::vector<ComponentId> codelets;
  std::vector<ComponentId> terms;  ///< and combiners of terms
  std::vector<ComponentId> receivers;
  std::vector<ComponentId> transmitters;
  std::vector<ComponentId> handlers;  ///< what polls for input on the GPU
  std::vector<Link> incoming;         ///< to its receivers, each way once; none that is delayed
  std::vector<Link> outgoing;
};

/// All entities, by EntityId, with their queues and connections, and the branches that they are in.
/// Refers to the graph.
struct WorkGraph {
  WorkGraph(const Graph& whole, const TypeCatalog& types);

  const Graph& graph;
  const TypeCatalog& catalog;
  std::vector<WorkEntity> entities;
  Branches branches;
  std::vector<Link> delayed;  ///< ways that make no entity wait; each once

  [[nodiscard]] EntityId entity_of(ComponentId component) const {
    return graph.components[component].entity;
  }
  [[nodiscard]] const WorkEntity& at(EntityId entity) const { return entities[entity]; }
};

/// Has it branches, or connections that are delayed?
bool needs_graph(const Graph& graph);

}  // namespace gxr

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
    Passage,   ///< Forward, or Broadcast to all: messages pass it unchanged
    Other,
  };
  Kind kind = Kind::Idle;
  std::vector<ComponentId> codelets;
  std::vector<ComponentId> terms;  ///< and combiners of terms
  std::vector<ComponentId> receivers;
  std::vector<ComponentId> transmitters;
  std::vector<ComponentId> handlers;  ///< gxr::cuda::DataReadyHandler
  std::vector<Link> incoming;         ///< to its receivers, each way once
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

  [[nodiscard]] EntityId entity_of(ComponentId component) const {
    return graph.components[component].entity;
  }
  [[nodiscard]] const WorkEntity& at(EntityId entity) const { return entities[entity]; }
};

bool has_branches(const Graph& graph);

}  // namespace gxr

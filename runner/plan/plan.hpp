#pragma once

#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// Which executor runs a region.
enum class ExecutorKind : std::uint8_t { Greedy, Threads, Events, Graph, Resident };
const char* to_string(ExecutorKind kind) noexcept;

struct PlanBlock;

/// One entity in a region's order.
struct PlanStep {
  EntityId entity = kNone;
};
/// Alternatives chosen while running (If, Switch, While of CUDA-graph regions): a component and a
/// block for each.
struct PlanBranch {
  ComponentId selector = kNone;
  std::vector<PlanBlock> alternatives;
};
/// Steps and branches in order.
struct PlanBlock {
  std::vector<std::variant<PlanStep, PlanBranch>> items;
};

/// A set of entities that one executor runs.
struct Region {
  std::string name;
  ExecutorKind executor = ExecutorKind::Greedy;
  ComponentId declared_by = kNone;  ///< the scheduler or executor component
  PlanBlock body;                   ///< entities with codelets, in activation order
};

/// Memory between two entities: a queue on the CPU.
struct PlanBuffer {
  ComponentId transmitter = kNone;
  ComponentId receiver = kNone;
  std::uint64_t capacity = 0;  ///< messages per stage of the receiver
};

/// A connection between regions.
struct Bridge {
  std::size_t from_region = 0;
  std::size_t to_region = 0;
  Link link;
};

/// How an application will run: who runs what, in which order, through which buffers.
struct Plan {
  const Graph* graph = nullptr;
  const TypeCatalog* catalog = nullptr;
  /// Empty for an application without a scheduler: it is activated, and nothing runs (GXF).
  std::vector<Region> regions;
  std::vector<PlanBuffer> buffers;
  std::vector<Bridge> bridges;
  std::vector<EntityId>
      activation_order;  ///< of all entities: system, connection, graph (spec D.1)
};

struct PlanOptions {
  /// Overrides what the YAML says; empty: as written.
  std::string executor;
};

/// Graph to Plan. Throws Error(NotSupported) when an executor is asked for that this build does not
/// have.
Plan make_plan(const Graph& graph, const TypeCatalog& catalog, const PlanOptions& options = {});
/// The plan as text for people.
std::string render_plan(const Plan& plan);
/// The plan as JSON.
std::string render_plan_json(const Plan& plan);

}  // namespace gxr

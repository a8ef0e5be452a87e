#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "internal_api.hpp"
#include "plan/executors.hpp"
#include "plan/graph_region.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

struct PlanBlock;

/// One entity in a region's order.
struct PlanStep {
  EntityId entity = kNone;
  StepId step = kNone;  ///< of Region::graph; kNone in other regions
};
/// Alternatives chosen while running (If, Switch, While of CUDA-graph regions): a component and a
/// block for each.
struct PlanBranch {
  ComponentId component = kNone;
  BranchId branch = kNone;  ///< of Region::graph
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
  PlanBlock body;  ///< entities with codelets, in activation order; of a graph, in its own
  std::optional<GraphRegion> graph;  ///< for the executors Graph and Resident
  bool chosen = false;  ///< the executor is that of the options, not that of `declared_by`
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

/// Why an entity with codelets is where it is.
struct Placement {
  EntityId entity = kNone;
  std::size_t region = 0;
  std::string reason;  ///< a half sentence: "its type is not capturable"
};

/// The planner's choice for an application whose files leave the executor open.
struct DefaultGraph {
  bool chosen = false;   ///< it is one CUDA graph
  std::string obstacle;  ///< why it is none, a half sentence
};

/// How an application will run: regions and their executors, order, and buffers.
struct Plan {
  const Graph* graph = nullptr;
  const TypeCatalog* catalog = nullptr;
  /// First "main", of the CPU, if entities run there; then those of CUDA graphs. Empty for
  /// an application without a scheduler: it is activated, and nothing runs (GXF).
  std::vector<Region> regions;
  std::vector<PlanBuffer> buffers;  ///< of connections on the CPU
  std::vector<Bridge> bridges;
  std::vector<EntityId>
      activation_order;  ///< of all entities: system, connection, graph (spec D.1)
  /// Of all entities with codelets, in activation order, when CUDA graphs were asked for.
  std::vector<Placement> placements;
  /// Of an application in the short form whose operators all have capturable types, if nothing says
  /// what runs it: neither a scheduler, clock or executor of the files, nor the options.
  std::optional<DefaultGraph> default_graph;
  std::vector<std::string> graphs_left_out;  ///< names of regions, by plan_without_graphs()
};

/// Does a CUDA graph of the plan loop on its GPU?
[[nodiscard]] inline bool has_resident_region(const Plan& plan) {
  return std::ranges::any_of(
      plan.regions, [](const Region& region) { return region.executor == ExecutorKind::Resident; });
}

struct PlanOptions {
  /// Overrides what the YAML says; empty: as written.
  std::string executor;
  /// Operators of CUDA graphs are measured now and then where nothing says how often.
  bool measures = false;
  /// Several processes run the application together: no CUDA graph is chosen by default.
  bool is_spread = false;
};

inline constexpr std::size_t kNoRegion = static_cast<std::size_t>(-1);
/// For each entity of the graph the CUDA-graph region that it belongs to, also as one that was
/// dissolved: an index in Plan::regions, or kNoRegion.
GXR_INTERNAL_API std::vector<std::size_t> graph_regions_of_entities(const Plan& plan);

/// Graph to Plan, of a graph without errors. Runs no code of any extension, so the specs of tensors
/// are unknown but for those that the files tell; infer_shapes() finds the others. Reports what
/// cannot be a part of a CUDA graph but is asked to be; the plan is complete only when there are no
/// errors. Throws Error(InvalidArgument) for an unknown executor, Error(NotSupported) for a
/// scheduler that this build has no executor for.
GXR_INTERNAL_API Plan make_plan(const Graph& graph, const TypeCatalog& catalog,
                                const PlanOptions& options, Diagnostics& diagnostics);
/// The same; throws Error(InvalidData) with the text of the first problem.
Plan make_plan(const Graph& graph, const TypeCatalog& catalog, const PlanOptions& options = {});
/// The same application without CUDA graphs, for a run in which operators compare results in their
/// ticks: all are run by the executor of the CPU's region.
GXR_INTERNAL_API Plan plan_without_graphs(const Plan& plan);
/// Chooses the CPU for an application that is a CUDA graph by default, because of `obstacle`.
/// Reports what the CPU cannot run. Other plans stay.
GXR_INTERNAL_API void leave_default_graph(Plan& plan, std::string obstacle,
                                          Diagnostics& diagnostics);
/// The plan as text for people.
GXR_INTERNAL_API std::string render_plan(const Plan& plan);
/// The plan as JSON.
GXR_INTERNAL_API std::string render_plan_json(const Plan& plan);

}  // namespace gxr

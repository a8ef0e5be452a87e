#pragma once

#include <span>

#include "document/diagnostics.hpp"
#include "graph/graph.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// A check of the whole graph. Pure: looks, and adds to the diagnostics. Copes with a graph that
/// has errors, and says nothing that follows from an error which was reported already.
struct Pass {
  const char* name;
  void (*run)(const Graph&, const TypeCatalog&, Diagnostics&);
};

/// All passes, in the order in which resolve() runs them.
std::span<const Pass> validation_passes();

namespace passes {

/// Exactly one scheduler.
void schedulers(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// A greedy scheduler has a clock, or `realtime`.
void clocks(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// Real-time policies of threads are complete, and settings of threads belong to a thread.
void threads(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// Every entity can tick.
void never_ticks(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// Every cycle has a message to start it.
void cycles(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// Every node of a behaviour tree has one parent, and is not below itself.
void behavior_trees(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// Queues of entities that work are connected.
void unconnected(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// No connection leads to or from a queue whose other end is in another process.
void outside_queues(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// A term waits for every receiver of an entity that does not run by time.
void not_waited_for(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// A term waits for room behind every transmitter whose receivers can be full.
void room_not_waited_for(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// What a codelet can publish in one tick has room.
void too_many_publishes(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// A receiver that may lose messages can be full.
void policy_without_effect(const Graph& graph, const TypeCatalog& catalog,
                           Diagnostics& diagnostics);
/// Some codelet takes the messages that a term of its entity counts.
void never_read(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// The ends of a connection declare parts of messages that fit.
void ports(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// Names are unique within an entity.
void duplicate_components(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);
/// Components gxr::mpi::Placement name what is there, and no entity on two ranks.
void placements(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics);

}  // namespace passes
}  // namespace gxr

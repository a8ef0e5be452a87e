#include "plan/delayed_rules.hpp"

#include <string>

#include "graph/text.hpp"

namespace gxr {
namespace {

/// Why a connection cannot be delayed; empty: it can.
std::string obstacle(const WorkGraph& work, const RegionSearch* search, const Link& link) {
  const EntityId from = work.entity_of(link.transmitter);
  const EntityId to = work.entity_of(link.receiver);
  if (search == nullptr) {
    return "which needs a CUDA graph around it, and there is none";
  }
  for (const EntityId end : {from, to}) {
    const std::string name = called(work.graph.entities[end]);
    if (search->region_of[end] == kNone) {
      return "but " + name + " is in no CUDA graph" +
             (search->reasons[end].empty() ? std::string() : ", because " + search->reasons[end]);
    }
    if (work.at(end).kind == WorkEntity::Kind::Passage) {
      return "but " + name + " only passes messages on";
    }
  }
  const GraphComponent& receiver = work.graph.components[link.receiver];
  if (receiver.capability(Capability::Kind::DevicePort) != nullptr) {
    return "but its receiver is a " + in_quotes(receiver.type->name) +
           ", which has memory of its own";
  }
  if (search->region_of[from] != search->region_of[to]) {
    return "but " + called(work.graph.entities[from]) + " and " + called(work.graph.entities[to]) +
           " are in two CUDA graphs";
  }
  return {};
}

}  // namespace

void check_delayed(const WorkGraph& work, const RegionSearch* search, Diagnostics& diagnostics) {
  for (const Link& link : work.delayed) {
    const GraphComponent& connection = work.graph.components[link.connection];
    const std::string why = obstacle(work, search, link);
    if (!why.empty()) {
      diagnostics.add(DiagnosticCode::DelayedOutside, *connection.find("delayed")->value,
                      "the connection from " +
                          called(work.graph, work.graph.components[link.transmitter]) + " to " +
                          called(work.graph, work.graph.components[link.receiver]) +
                          " is delayed, " + why,
                      "both ends must be operators of one graph: name them under 'entities' of a "
                      "gxr::cuda::GraphExecutor, or run with --executor graph or resident");
    }
  }
}

}  // namespace gxr

#include "graph/make_links.hpp"

#include <unordered_map>

#include "graph/roles.hpp"
#include "graph/text.hpp"

namespace gxr {
namespace {

void report_duplicate(const Graph& graph, const Link& link, ComponentId first,
                      Diagnostics& diagnostics) {
  const GraphComponent& connection = graph.components[link.connection];
  diagnostics
      .add(DiagnosticCode::DuplicateConnection, connection.type_location,
           length_of(connection.type_name),
           called(graph, graph.components[link.transmitter]) + " is already connected to " +
               called(graph, graph.components[link.receiver]),
           "remove one; messages go this way once")
      .related.push_back({graph.components[first].where, "connected first here"});
}

}  // namespace

void make_links(const TypeCatalog& catalog, Diagnostics& diagnostics, Graph& graph) {
  Roles roles(catalog);
  std::unordered_map<std::uint64_t, ComponentId> seen;
  for (const GraphComponent& component : graph.components) {
    if (!roles.has(component, Role::Connection)) {
      continue;
    }
    Link link{component.handle("source"), component.handle("target"), component.id, false};
    if (link.transmitter == kNone || link.receiver == kNone) {
      continue;
    }
    const std::uint64_t key = (std::uint64_t{link.transmitter} << 32U) | link.receiver;
    const auto [entry, added] = seen.emplace(key, component.id);
    if (!added) {
      link.duplicate = true;
      report_duplicate(graph, link, entry->second, diagnostics);
    }
    graph.links.push_back(link);
  }
}

}  // namespace gxr

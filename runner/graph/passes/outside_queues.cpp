#include <string>

#include "graph/passes/passes.hpp"
#include "graph/text.hpp"

namespace gxr::passes {

void outside_queues(const Graph& graph, const TypeCatalog& /*catalog*/, Diagnostics& diagnostics) {
  for (const Link& link : graph.links) {
    const GraphComponent& connection = graph.components[link.connection];
    for (const ComponentId end : {link.transmitter, link.receiver}) {
      const GraphComponent& queue = graph.components[end];
      if (!link.duplicate && queue.capability(Capability::Kind::RemoteQueue) != nullptr) {
        const bool sends = end == link.transmitter;
        diagnostics.add(DiagnosticCode::ConnectionOutside, connection.type_location,
                        type_length(connection),
                        called(graph, queue) + " is a " + in_quotes(queue.type->name) +
                            ", whose other end is in another process, so nothing passes a "
                            "connection " +
                            (sends ? "from it" : "to it"),
                        "remove the connection, or use a queue of this application");
      }
    }
  }
}

}  // namespace gxr::passes

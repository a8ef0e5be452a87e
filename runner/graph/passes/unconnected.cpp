#include <string>

#include "graph/message_flow.hpp"
#include "graph/missing_topic.hpp"
#include "graph/passes/passes.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"

namespace gxr::passes {
namespace {

void warn(const Graph& graph, const GraphComponent& queue, DiagnosticCode code,
          const std::string& text, const std::string& hint, Diagnostics& diagnostics) {
  diagnostics.add(code, queue.where, where_length(queue), called(graph, queue) + " " + text, hint);
}

}  // namespace

void unconnected(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  Roles roles(catalog);
  const MessageFlow flow(graph, catalog);
  for (const GraphComponent& component : graph.components) {
    if (component.capability(Capability::Kind::PlainQueue) == nullptr) {
      continue;
    }
    const bool receiver = roles.has(component, Role::Receiver);
    // A term that waits for an unconnected queue is an error that never_ticks reports.
    if (!flow.has_codelets(component.entity) || flow.is_connected(component.id) ||
        flow.is_open(component.id) || flow.is_waited_for(component.id)) {
      continue;
    }
    const std::string topic = missing_topic(component, roles);
    if (!topic.empty()) {
      warn(graph, component,
           receiver ? DiagnosticCode::UnconnectedReceiver : DiagnosticCode::UnconnectedTransmitter,
           (receiver ? "gets no messages: " : "loses its messages: ") + topic,
           missing_topic_hint(component), diagnostics);
    } else if (receiver) {
      warn(graph, component, DiagnosticCode::UnconnectedReceiver,
           "gets no messages: no connection leads to it",
           "add a connection whose 'target' it is, or remove it", diagnostics);
    } else {
      warn(graph, component, DiagnosticCode::UnconnectedTransmitter,
           "loses its messages: no connection leads from it",
           "add a connection whose 'source' it is, or remove it", diagnostics);
    }
  }
}

}  // namespace gxr::passes

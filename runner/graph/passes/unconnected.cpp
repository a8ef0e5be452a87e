#include <optional>
#include <string>

#include "graph/message_flow.hpp"
#include "graph/missing_topic.hpp"
#include "graph/passes/passes.hpp"
#include "graph/roles.hpp"
#include "graph/text.hpp"
#include "graph/tick_analysis.hpp"

namespace gxr::passes {
namespace {

void warn(const Graph& graph, const GraphComponent& queue, DiagnosticCode code,
          const std::string& text, const std::string& hint, Diagnostics& diagnostics) {
  diagnostics.add(code, queue.where, where_length(queue), called(graph, queue) + " " + text, hint);
}

/// The entities of which never_ticks reports that they cannot tick, asked for when it matters.
class Obstacles {
 public:
  Obstacles(const Graph& graph, const TypeCatalog& catalog) : graph_(graph), catalog_(catalog) {}

  [[nodiscard]] bool contain(EntityId entity) {
    if (!analysis_) {
      analysis_.emplace(graph_, catalog_);
    }
    return analysis_->obstacles().contains(entity);
  }

 private:
  const Graph& graph_;
  const TypeCatalog& catalog_;
  std::optional<TickAnalysis> analysis_;
};

}  // namespace

void unconnected(const Graph& graph, const TypeCatalog& catalog, Diagnostics& diagnostics) {
  Roles roles(catalog);
  const MessageFlow flow(graph, catalog);
  Obstacles obstacles(graph, catalog);
  for (const GraphComponent& component : graph.components) {
    if (component.capability(Capability::Kind::PlainQueue) == nullptr) {
      continue;
    }
    const bool receiver = roles.has(component, Role::Receiver);
    if (!flow.has_codelets(component.entity) || flow.is_connected(component.id) ||
        flow.is_open(component.id)) {
      continue;
    }
    // A term that waits for it may keep the entity from ticking, which is an error of its own, or
    // may be content with other receivers.
    if (flow.is_waited_for(component.id) &&
        (!receiver || flow.is_opaque(component.entity) || obstacles.contain(component.entity))) {
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

#include "graph/find_consumers.hpp"

#include <algorithm>
#include <set>

namespace gxr {
namespace {

bool passes_on(const GraphComponent& component) {
  return component.capability(Capability::Kind::PassesMessages) != nullptr ||
         component.capability(Capability::Kind::PassesEachMessage) != nullptr;
}

bool holds(const GraphComponent& component, ComponentId queue) {
  return std::ranges::any_of(component.parameters, [&](const ParameterAssignment& assignment) {
    return std::ranges::any_of(
        assignment.handles, [&](const HandleReference& handle) { return handle.target == queue; });
  });
}

/// Follows messages of a transmitter to all queues.
class Follower {
 public:
  explicit Follower(const Graph& graph) : graph_(graph) {}

  void follow(ComponentId transmitter) {
    for (const Link& link : graph_.links) {
      if (link.transmitter == transmitter && reached_.insert(link.receiver).second) {
        pass_on(link.receiver);
      }
    }
  }

  [[nodiscard]] std::vector<Consumer> consumers() const {
    std::vector<Consumer> found;
    for (const GraphComponent& component : graph_.components) {
      if (component.type == nullptr) {
        continue;
      }
      for (const PortInfo& port : component.type->ports) {
        if (port.direction == PortInfo::Direction::Input && !port.parts.empty() &&
            reached_.contains(component.handle(port.key))) {
          found.push_back({graph_.full_name(component), port});
        }
      }
    }
    return found;
  }

 private:
  /// Of a codelet without handles to queues, all transmitters of its entity.
  void pass_on(ComponentId receiver) {
    const GraphEntity& entity = graph_.entity_of(graph_.components[receiver]);
    for (const GraphComponent& codelet : graph_.components) {
      const bool has_handle = holds(codelet, receiver);
      if (!passes_on(codelet) || (!has_handle && codelet.entity != entity.id)) {
        continue;
      }
      for (const Link& link : graph_.links) {
        const GraphComponent& transmitter = graph_.components[link.transmitter];
        if (has_handle ? holds(codelet, transmitter.id) : transmitter.entity == entity.id) {
          follow(transmitter.id);
        }
      }
    }
  }

  const Graph& graph_;
  std::set<ComponentId> reached_;
};

}  // namespace

std::vector<Consumer> consumers_of(const Graph& graph, ComponentId transmitter) {
  Follower follower(graph);
  follower.follow(transmitter);
  return follower.consumers();
}

}  // namespace gxr

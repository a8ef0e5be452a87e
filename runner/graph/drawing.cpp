#include "graph/drawing.hpp"

#include <algorithm>

#include "graph/roles.hpp"

namespace gxr {
namespace {

std::string port_name(const GraphComponent& queue) {
  return queue.name.empty() ? std::string(queue.type_name) : queue.name;
}

std::vector<bool> drawn_entities(const Graph& graph, Roles& roles) {
  std::vector<bool> drawn(graph.entities.size());
  for (const GraphComponent& component : graph.components) {
    if (roles.has(component, Role::Codelet)) {
      drawn[component.entity] = true;
    }
  }
  for (const Link& link : graph.links) {
    drawn[graph.components[link.transmitter].entity] = true;
    drawn[graph.components[link.receiver].entity] = true;
  }
  return drawn;
}

Drawing::Node make_node(const Graph& graph, const GraphEntity& entity, Roles& roles) {
  Drawing::Node node{entity.name, {}, entity.id, Drawing::kNoCluster};
  for (const ComponentId id : entity.components) {
    if (roles.has(graph.components[id], Role::Codelet)) {
      node.types.push_back(graph.components[id].type->name);
    }
  }
  return node;
}

}  // namespace

Drawing make_drawing(const Graph& graph, const TypeCatalog& catalog) {
  Roles roles(catalog);
  Drawing drawing;
  const std::vector<bool> drawn = drawn_entities(graph, roles);
  std::vector<std::size_t> node_of(graph.entities.size());
  for (const GraphEntity& entity : graph.entities) {
    if (drawn[entity.id]) {
      node_of[entity.id] = drawing.nodes.size();
      drawing.nodes.push_back(make_node(graph, entity, roles));
    }
  }
  for (const Link& link : graph.links) {
    if (!link.duplicate) {
      const GraphComponent& from = graph.components[link.transmitter];
      const GraphComponent& to = graph.components[link.receiver];
      drawing.edges.push_back(
          {node_of[from.entity], node_of[to.entity], port_name(from), port_name(to), link.delayed});
    }
  }
  return drawing;
}

bool Drawing::is_long() const {
  constexpr std::size_t kAcrossPage = 6;
  std::vector<std::vector<std::size_t>> successors(nodes.size());
  std::vector<std::size_t> open(nodes.size());  // edges into a node that were not followed yet
  for (const Edge& edge : edges) {
    successors[edge.from].push_back(edge.to);
    ++open[edge.to];
  }
  std::vector<std::size_t> order;
  std::vector<std::size_t> depth(nodes.size(), 1);
  std::vector<bool> entered(nodes.size());
  const auto enter = [&](std::size_t node) {
    if (!entered[node]) {
      entered[node] = true;
      order.push_back(node);
    }
  };
  for (std::size_t first = 0; first < 2 * nodes.size(); ++first) {
    // First the nodes that nothing leads to; then what is left lies on or behind a cycle, which its
    // first node opens.
    if (first >= nodes.size() || open[first] == 0) {
      enter(first % nodes.size());
    }
    while (!order.empty()) {
      const std::size_t node = order.back();
      order.pop_back();
      for (const std::size_t next : successors[node]) {
        depth[next] = std::max(depth[next], entered[next] ? 1 : depth[node] + 1);
        if (--open[next] == 0) {
          enter(next);
        }
      }
    }
  }
  return std::ranges::any_of(depth, [](std::size_t d) { return d > kAcrossPage; });
}

std::string port_label(const Drawing::Edge& edge, const std::string& arrow) {
  return edge.from_port == edge.to_port ? edge.from_port
                                        : edge.from_port + " " + arrow + " " + edge.to_port;
}

}  // namespace gxr

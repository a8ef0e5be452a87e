#include "graph/drawing.hpp"

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
  Drawing::Node node{entity.name, {}};
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
          {node_of[from.entity], node_of[to.entity], port_name(from), port_name(to)});
    }
  }
  return drawing;
}

std::string port_label(const Drawing::Edge& edge, const std::string& arrow) {
  return edge.from_port == edge.to_port ? edge.from_port
                                        : edge.from_port + " " + arrow + " " + edge.to_port;
}

}  // namespace gxr

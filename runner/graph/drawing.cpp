#include "graph/drawing.hpp"

#include <algorithm>
#include <string_view>
#include <utility>

#include "document/utf8.hpp"
#include "graph/roles.hpp"
#include "graph/unknown_work.hpp"

namespace gxr {
namespace {

std::string port_name(const GraphComponent& queue) {
  return printable(queue.name.empty() ? queue.type_name : queue.name);
}

Drawing::Node make_node(const Graph& graph, const GraphEntity& entity, Roles& roles) {
  Drawing::Node node{printable(entity.name), {}, entity.id, Drawing::kNoCluster};
  for (const ComponentId id : entity.components) {
    if (roles.has(graph.components[id], Role::Codelet)) {
      node.types.push_back(graph.components[id].type->name);
    }
  }
  for (const ComponentId id : unknown_work(graph, entity)) {
    node.types.push_back(printable(graph.components[id].type_name));
  }
  return node;
}

/// One end of an edge.
struct End {
  EntityId entity = kNone;
  std::string port;
};

struct Way {
  End from;
  End to;
  bool delayed = false;
};

/// What a connection names, when its types or those of its queues are not known.
End end_of(const Graph& graph, const GraphComponent& connection, std::string_view key) {
  const ParameterAssignment& assignment = *connection.find(key);
  const std::string_view text = assignment.value->text();
  const std::size_t slash = text.find('/');
  if (slash == std::string_view::npos) {
    return {connection.entity, printable(text)};
  }
  const std::string name(text.substr(0, slash));
  const GraphEntity* entity = graph.find_entity(graph.scopes[assignment.scope].prefix + name);
  entity = entity == nullptr ? graph.find_entity(name) : entity;
  return {entity == nullptr ? kNone : entity->id, printable(text.substr(slash + 1))};
}

std::vector<Way> find_ways(const Graph& graph, Roles& roles) {
  std::vector<Way> ways;
  std::vector<bool> linked(graph.components.size());
  for (const Link& link : graph.links) {
    linked[link.connection] = true;
    if (!link.duplicate) {
      const GraphComponent& from = graph.components[link.transmitter];
      const GraphComponent& to = graph.components[link.receiver];
      ways.push_back({{from.entity, port_name(from)}, {to.entity, port_name(to)}, link.delayed});
    }
  }
  for (const GraphComponent& connection : graph.components) {
    const bool connects = connection.type == nullptr || roles.has(connection, Role::Connection);
    if (!connects || linked[connection.id] || !has_ends(connection)) {
      continue;
    }
    Way way{end_of(graph, connection, "source"), end_of(graph, connection, "target")};
    if (way.from.entity != kNone && way.to.entity != kNone) {
      ways.push_back(std::move(way));
    }
  }
  return ways;
}

}  // namespace

Drawing make_drawing(const Graph& graph, const TypeCatalog& catalog) {
  Roles roles(catalog);
  Drawing drawing;
  const std::vector<Way> ways = find_ways(graph, roles);
  std::vector<bool> connected(graph.entities.size());
  for (const Way& way : ways) {
    connected[way.from.entity] = connected[way.to.entity] = true;
  }
  std::vector<std::size_t> node_of(graph.entities.size());
  for (const GraphEntity& entity : graph.entities) {
    Drawing::Node node = make_node(graph, entity, roles);
    if (connected[entity.id] || !node.types.empty()) {
      node_of[entity.id] = drawing.nodes.size();
      drawing.nodes.push_back(std::move(node));
    }
  }
  for (const Way& way : ways) {
    drawing.edges.push_back({node_of[way.from.entity], node_of[way.to.entity], way.from.port,
                             way.to.port, way.delayed});
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

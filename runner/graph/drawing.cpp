#include "graph/drawing.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "document/utf8.hpp"
#include "graph/named_ends.hpp"
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

struct Way {
  NamedEnds ends;
  bool delayed = false;
};

std::vector<Way> find_ways(const Graph& graph, Roles& roles) {
  std::vector<Way> ways;
  std::vector<bool> linked(graph.components.size());
  for (const Link& link : graph.links) {
    linked[link.connection] = true;
    if (!link.duplicate) {
      const GraphComponent& from = graph.components[link.transmitter];
      const GraphComponent& to = graph.components[link.receiver];
      ways.push_back({{{from.entity, port_name(from)}, {to.entity, port_name(to)}}, link.delayed});
    }
  }
  std::unordered_multimap<std::uint64_t, std::size_t> between;  // ways by their entities
  const auto entities_of = [](const NamedEnds& ends) {
    return (std::uint64_t{ends.source.entity} << 32U) | ends.target.entity;
  };
  for (std::size_t i = 0; i < ways.size(); ++i) {
    between.emplace(entities_of(ways[i].ends), i);
  }
  const auto is_drawn = [&](const NamedEnds& ends) {
    const auto [begin, end] = between.equal_range(entities_of(ends));
    return std::any_of(begin, end, [&](const auto& way) { return ways[way.second].ends == ends; });
  };
  for (const GraphComponent& connection : graph.components) {
    const bool connects = connection.type == nullptr || roles.has(connection, Role::Connection);
    if (!connects || linked[connection.id] || !has_ends(connection)) {
      continue;
    }
    NamedEnds ends = named_ends(graph, connection);
    ends.source.port = printable(ends.source.port);
    ends.target.port = printable(ends.target.port);
    if (ends.found() && !is_drawn(ends)) {
      between.emplace(entities_of(ends), ways.size());
      ways.push_back({std::move(ends), false});
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
    connected[way.ends.source.entity] = connected[way.ends.target.entity] = true;
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
    const auto& [source, target] = way.ends;
    drawing.edges.push_back(
        {node_of[source.entity], node_of[target.entity], source.port, target.port, way.delayed});
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

#include "graph/drawing.hpp"

#include <algorithm>
#include <cstdint>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "document/utf8.hpp"
#include "graph/describe_term.hpp"
#include "graph/named_ends.hpp"
#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"
#include "graph/unknown_work.hpp"

namespace gxr {
namespace {

constexpr std::size_t kNotDrawn = static_cast<std::size_t>(-1);

std::string port_name(const GraphComponent& queue) {
  return printable(queue.name.empty() ? queue.type_name : queue.name);
}

/// Does the term wait for one message, or for room for one?
bool is_usual(const GraphComponent& term) {
  for (const Capability::Kind kind :
       {Capability::Kind::WaitsForMessages, Capability::Kind::WaitsForRoom}) {
    const Capability* const waits = term.capability(kind);
    if (waits != nullptr && parameter_text(term, waits->key(1)) == "1") {
      return true;
    }
  }
  return false;
}

Drawing::Node make_node(const Graph& graph, const GraphEntity& entity, Roles& roles) {
  Drawing::Node node;
  node.name = node.short_name = printable(entity.name);
  node.entity = entity.id;
  for (const ComponentId id : entity.components) {
    if (roles.has(graph.components[id], Role::Codelet)) {
      node.types.push_back(graph.components[id].type->name);
    }
  }
  for (const ComponentId id : unknown_work(graph, entity)) {
    node.types.push_back(printable(graph.components[id].type_name));
  }
  for (const ComponentId id : entity.components) {
    const GraphComponent& component = graph.components[id];
    if (roles.has(component, Role::SchedulingTerm) && !is_usual(component)) {
      node.details.push_back(printable(describe_term(graph, component)));
    }
  }
  return node;
}

struct Way {
  NamedEnds ends;
  bool delayed = false;
  std::string topic;
  std::string details;
};

/// The name of the topic by which a component connects queues; "" for a connection.
std::string topic_of(const GraphComponent& component, Roles& roles) {
  if (const Capability* const joins = component.capability(Capability::Kind::JoinsTopic)) {
    return printable(text_parameter(component, joins->key(0)).value_or(std::string()));
  }
  if (!roles.has(component, Role::Topic)) {
    return {};
  }
  const std::string name = text_parameter(component, "topic_name").value_or(std::string());
  return printable(name.empty() ? component.name : name);
}

/// "capacity 4", or "capacity 2 \u2192 4, reject" of two queues.
std::string details_of(const GraphComponent& from, const GraphComponent& to) {
  const std::string behind(parameter_text(to, "capacity"));
  const std::string before(parameter_text(from, "capacity"));
  const std::string policy(parameter_text(to, "policy"));
  std::string text;
  if (!behind.empty()) {
    text = "capacity " + (before.empty() || before == behind ? "" : before + " \u2192 ") + behind;
  }
  if (policy == "0" || policy == "1") {
    text += (text.empty() ? "" : ", ") + std::string(policy == "0" ? "pop" : "reject");
  }
  return printable(text);
}

std::vector<Way> find_ways(const Graph& graph, Roles& roles) {
  std::vector<Way> ways;
  std::vector<bool> linked(graph.components.size());
  for (const Link& link : graph.links) {
    linked[link.connection] = true;
    if (!link.duplicate) {
      const GraphComponent& from = graph.components[link.transmitter];
      const GraphComponent& to = graph.components[link.receiver];
      ways.push_back({{{from.entity, port_name(from)}, {to.entity, port_name(to)}},
                      link.delayed,
                      topic_of(graph.components[link.connection], roles),
                      details_of(from, to)});
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
      ways.push_back({std::move(ends), false, {}, {}});
    }
  }
  return ways;
}

/// Draws the other ends of queues that lead to another process.
void add_remote_ends(const Graph& graph, Roles& roles, const std::vector<std::size_t>& node_of,
                     Drawing& drawing) {
  for (const GraphComponent& queue : graph.components) {
    const Capability* const remote = queue.capability(Capability::Kind::RemoteQueue);
    const bool sends = roles.has(queue, Role::Transmitter);
    const std::size_t node = node_of[queue.entity];
    if (remote == nullptr || node == kNotDrawn || (!sends && !roles.has(queue, Role::Receiver))) {
      continue;
    }
    Drawing::Node end;
    end.name = printable(parameter_text(queue, remote->key(0)));
    end.name = end.short_name = end.name.empty() ? "another process" : end.name;
    end.types.emplace_back("another process");
    end.kind = Drawing::Node::Kind::Remote;
    Drawing::Edge edge;
    edge.from = sends ? node : drawing.nodes.size();
    edge.to = sends ? drawing.nodes.size() : node;
    (sends ? edge.from_port : edge.to_port) = port_name(queue);
    drawing.nodes.push_back(std::move(end));
    drawing.edges.push_back(std::move(edge));
  }
}

/// Names of an entity's ports on one side: its queues, and what edges call them.
class PortNames {
 public:
  explicit PortNames(std::size_t nodes) : names_(nodes) {}

  void add(std::size_t node, const std::string& name) {
    std::vector<std::string>& names = names_[node];
    if (names.size() < 2 && std::ranges::find(names, name) == names.end()) {
      names.push_back(name);
    }
  }
  [[nodiscard]] bool has_several(std::size_t node) const { return names_[node].size() > 1; }

 private:
  std::vector<std::vector<std::string>> names_;  // two at most
};

void find_choices(const Graph& graph, Roles& roles, const std::vector<std::size_t>& node_of,
                  Drawing& drawing) {
  PortNames outputs(drawing.nodes.size());
  PortNames inputs(drawing.nodes.size());
  for (const GraphComponent& queue : graph.components) {
    const std::size_t node = node_of[queue.entity];
    if (node != kNotDrawn && roles.has(queue, Role::Transmitter)) {
      outputs.add(node, port_name(queue));
    } else if (node != kNotDrawn && roles.has(queue, Role::Receiver)) {
      inputs.add(node, port_name(queue));
    }
  }
  for (const Drawing::Edge& edge : drawing.edges) {
    outputs.add(edge.from, edge.from_port);
    inputs.add(edge.to, edge.to_port);
  }
  for (Drawing::Edge& edge : drawing.edges) {
    // Broadcast's outputs are named like their readers as a rule, which tells nothing new.
    edge.several_from =
        outputs.has_several(edge.from) && edge.from_port != drawing.nodes[edge.to].name;
    edge.several_to = inputs.has_several(edge.to);
  }
}

void find_kinds(Drawing& drawing) {
  std::vector<bool> sends(drawing.nodes.size());
  std::vector<bool> receives(drawing.nodes.size());
  for (const Drawing::Edge& edge : drawing.edges) {
    sends[edge.from] = receives[edge.to] = true;
  }
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    if (drawing.nodes[i].kind != Drawing::Node::Kind::Remote && sends[i] != receives[i]) {
      drawing.nodes[i].kind = sends[i] ? Drawing::Node::Kind::Source : Drawing::Node::Kind::Sink;
    }
  }
}

/// Frames of subgraphs, each inside of that of the including one.
class SubgraphFrames {
 public:
  explicit SubgraphFrames(Drawing& drawing) : drawing_(drawing) {}

  /// Of entities whose names begin with "camera.left.".
  std::size_t frame(const std::string& prefix) {
    if (prefix.empty()) {
      return Drawing::kNoCluster;
    }
    const auto known = frames_.find(prefix);
    if (known != frames_.end()) {
      return known->second;
    }
    const std::size_t dot = prefix.rfind('.', prefix.size() - 2);
    const std::string around = dot == std::string::npos ? std::string() : prefix.substr(0, dot + 1);
    const std::size_t parent = frame(around);
    const std::string title = prefix.substr(around.size(), prefix.size() - around.size() - 1);
    drawing_.clusters.push_back({printable(title), parent, true});
    return frames_.emplace(prefix, drawing_.clusters.size() - 1).first->second;
  }

 private:
  Drawing& drawing_;
  std::unordered_map<std::string, std::size_t> frames_;
};

}  // namespace

Drawing make_drawing(const Graph& graph, const TypeCatalog& catalog) {
  Roles roles(catalog);
  Drawing drawing;
  SubgraphFrames frames(drawing);
  const std::vector<Way> ways = find_ways(graph, roles);
  std::vector<bool> connected(graph.entities.size());
  for (const Way& way : ways) {
    connected[way.ends.source.entity] = connected[way.ends.target.entity] = true;
  }
  std::vector<std::size_t> node_of(graph.entities.size(), kNotDrawn);
  for (const GraphEntity& entity : graph.entities) {
    Drawing::Node node = make_node(graph, entity, roles);
    if (!connected[entity.id] && node.types.empty()) {
      continue;
    }
    const std::string& prefix = graph.scopes[entity.scope].prefix;
    if (entity.named && entity.name.starts_with(prefix)) {
      node.cluster = frames.frame(prefix);
      node.short_name = printable(std::string_view(entity.name).substr(prefix.size()));
    }
    node_of[entity.id] = drawing.nodes.size();
    drawing.nodes.push_back(std::move(node));
  }
  for (const Way& way : ways) {
    const auto& [source, target] = way.ends;
    Drawing::Edge edge{node_of[source.entity], node_of[target.entity], source.port, target.port};
    edge.delayed = way.delayed;
    edge.topic = way.topic;
    edge.details = way.details;
    drawing.edges.push_back(std::move(edge));
  }
  add_remote_ends(graph, roles, node_of, drawing);
  find_choices(graph, roles, node_of, drawing);
  find_kinds(drawing);
  return drawing;
}

void leave_out_details(Drawing& drawing) {
  for (Drawing::Node& node : drawing.nodes) {
    node.details.clear();
  }
  for (Drawing::Edge& edge : drawing.edges) {
    edge.details.clear();
  }
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

std::string port_label(const Drawing::Edge& edge) {
  const std::string from = edge.several_from ? edge.from_port : std::string();
  const std::string to = edge.several_to ? edge.to_port : std::string();
  const std::string ports = from.empty()               ? to
                            : to.empty() || from == to ? from
                                                       : from + " \u2192 " + to;
  if (edge.topic.empty()) {
    return ports;
  }
  return "topic " + edge.topic + (ports.empty() ? ports : ": " + ports);
}

}  // namespace gxr

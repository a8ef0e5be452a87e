#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "document/utf8.hpp"
#include "graph/describe_term.hpp"
#include "graph/drawing.hpp"
#include "graph/named_ends.hpp"
#include "graph/parameter_value.hpp"
#include "graph/roles.hpp"
#include "graph/unknown_work.hpp"

namespace gxr {
namespace {

using Part = Drawing::Part;

Part::Kind kind_of_part(const GraphComponent& component, Roles& roles) {
  return roles.has(component, Role::Receiver)         ? Part::Kind::Receiver
         : roles.has(component, Role::Transmitter)    ? Part::Kind::Transmitter
         : roles.has(component, Role::SchedulingTerm) ? Part::Kind::Term
         : roles.has(component, Role::Codelet)        ? Part::Kind::Codelet
                                                      : Part::Kind::Other;
}

/// "capacity 2, reject": what a full queue does is said where it loses messages.
std::string describe_queue(const GraphComponent& queue) {
  const std::string capacity(parameter_text(queue, "capacity"));
  const std::string_view policy = parameter_text(queue, "policy");
  std::string text = capacity.empty() ? std::string() : "capacity " + capacity;
  if (policy == "0" || policy == "pop") {
    text += (text.empty() ? "" : ", ") + std::string("pop");
  } else if (policy == "1" || policy == "reject") {
    text += (text.empty() ? "" : ", ") + std::string("reject");
  }
  return text;
}

std::string details_of_part(const Graph& graph, const GraphComponent& component, Part::Kind kind) {
  if (kind == Part::Kind::Term) {
    const std::string text = describe_term(graph, component);
    return text == component.type->name ? std::string() : printable(text);
  }
  if (kind == Part::Kind::Receiver || kind == Part::Kind::Transmitter) {
    return printable(describe_queue(component));
  }
  return {};
}

/// The parts of one entity.
std::vector<Part> parts_of(const Graph& graph, const GraphEntity& entity, Roles& roles) {
  std::vector<Part> parts;
  const std::vector<ComponentId> work = unknown_work(graph, entity);
  for (const ComponentId id : entity.components) {
    const GraphComponent& component = graph.components[id];
    if (roles.has(component, Role::Connection) || has_ends(component)) {
      continue;
    }
    Part part;
    part.name = printable(component.name);
    part.type = printable(component.type != nullptr ? component.type->name : component.type_name);
    part.kind = std::ranges::find(work, id) != work.end() ? Part::Kind::Codelet
                                                          : kind_of_part(component, roles);
    part.details = details_of_part(graph, component, part.kind);
    part.component = id;
    parts.push_back(std::move(part));
  }
  for (Part& part : parts) {
    for (const ParameterAssignment& parameter : graph.components[part.component].parameters) {
      for (const HandleReference& handle : parameter.handles) {
        const auto used = std::ranges::find(parts, handle.target, &Part::component);
        if (handle.target != kNone && used != parts.end()) {
          part.uses.push_back(static_cast<std::size_t>(used - parts.begin()));
        }
      }
    }
  }
  return parts;
}

/// The queue that an edge calls by this name.
std::size_t find_port(const Graph& graph, const Drawing::Node& node, const std::string& port) {
  const auto is_port = [&](const Part& part) {
    const GraphComponent& component = graph.components[part.component];
    return (part.kind == Part::Kind::Receiver || part.kind == Part::Kind::Transmitter) &&
           port == printable(component.name.empty() ? component.type_name : component.name);
  };
  const auto found = std::ranges::find_if(node.parts, is_port);
  return found == node.parts.end() ? Drawing::kNoPart
                                   : static_cast<std::size_t>(found - node.parts.begin());
}

}  // namespace

void add_components(const Graph& graph, const TypeCatalog& catalog, Drawing& drawing) {
  Roles roles(catalog);
  std::vector<bool> drawn(graph.entities.size());
  for (Drawing::Node& node : drawing.nodes) {
    if (node.entity != kNone) {
      drawn[node.entity] = true;
      node.parts = parts_of(graph, graph.entities[node.entity], roles);
    }
  }
  for (const GraphEntity& entity : graph.entities) {
    std::vector<Part> parts =
        drawn[entity.id] ? std::vector<Part>{} : parts_of(graph, entity, roles);
    if (!parts.empty()) {
      Drawing::Node node;
      node.name = node.short_name = printable(entity.name);
      node.entity = entity.id;
      node.parts = std::move(parts);
      drawing.nodes.push_back(std::move(node));
    }
  }
  for (Drawing::Edge& edge : drawing.edges) {
    edge.from_part = find_port(graph, drawing.nodes[edge.from], edge.from_port);
    edge.to_part = find_port(graph, drawing.nodes[edge.to], edge.to_port);
  }
  leave_out_details(drawing);  // components have them
  drawing.shows_components = true;
}

}  // namespace gxr

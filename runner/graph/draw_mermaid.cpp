#include <algorithm>

#include "graph/draw.hpp"

namespace gxr {
namespace {

std::string escape(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '"':
        escaped += "#quot;";
        break;
      case '#':
        escaped += "#35;";
        break;
      case '<':
        escaped += "#lt;";
        break;
      case '>':
        escaped += "#gt;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

/// How a kind of node looks: the brackets that make its shape, and its style.
struct Look {
  const char* open;
  const char* close;
  const char* name;
  const char* style;
};

constexpr Look kOperatorLook = {"[\"", "\"]", "", ""};
constexpr Look kSourceLook = {"([\"", "\"])", "source", "fill:#e6f4e4,stroke:#3f7f3a,color:#111"};
constexpr Look kSinkLook = {"[[\"", "\"]]", "sink", "fill:#fdf0dc,stroke:#a8681c,color:#111"};
constexpr Look kRemoteLook = {"{{\"", "\"}}", "remote",
                              "fill:#f2f2f2,stroke:#777,color:#111,stroke-dasharray:4 3"};

const Look& look_of(const Drawing::Node& node) {
  switch (node.kind) {
    case Drawing::Node::Kind::Source:
      return kSourceLook;
    case Drawing::Node::Kind::Sink:
      return kSinkLook;
    case Drawing::Node::Kind::Remote:
      return kRemoteLook;
    case Drawing::Node::Kind::Operator:
      break;
  }
  return kOperatorLook;
}

/// The styles that nodes have.
std::string styles(const Drawing& drawing) {
  std::string text;
  for (const Look* const look : {&kSourceLook, &kSinkLook, &kRemoteLook}) {
    const auto has_look = [&](const Drawing::Node& node) {
      return node.parts.empty() && &look_of(node) == look;
    };
    if (std::ranges::any_of(drawing.nodes, has_look)) {
      text += std::string("  classDef ") + look->name + " " + look->style + "\n";
    }
  }
  return text;
}

/// "n0", or a component in it: "n0p2".
std::string place(std::size_t node, std::size_t part) {
  const std::string name = "n" + std::to_string(node);
  return part == Drawing::kNoPart ? name : name + "p" + std::to_string(part);
}

std::string edge_line(const Drawing::Edge& edge) {
  const bool shows_ports = edge.from_part != Drawing::kNoPart && edge.to_part != Drawing::kNoPart;
  std::string label = shows_ports && edge.topic.empty() ? "" : escape(port_label(edge));
  if (!edge.details.empty()) {
    label += (label.empty() ? "" : "<br/>") + escape(edge.details);
  }
  return "  " + place(edge.from, edge.from_part) + (edge.delayed ? " -.->" : " -->") +
         (label.empty() ? "" : "|\"" + label + "\"|") + " " + place(edge.to, edge.to_part) + "\n";
}

/// The entity as a subgraph of its components. Dotted lines join them with the components that
/// their parameters name, in the direction of messages.
std::string component_lines(const Drawing& drawing, std::size_t index, const std::string& indent) {
  using Kind = Drawing::Part::Kind;
  const Drawing::Node& node = drawing.nodes[index];
  std::string text =
      indent + "subgraph n" + std::to_string(index) + "[\"" + escape(node.short_name) + "\"]\n";
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    const Drawing::Part& part = node.parts[i];
    text += indent + "  " + place(index, i) + "[\"" +
            (part.name.empty() ? "" : "<b>" + escape(part.name) + "</b><br/>") + escape(part.type) +
            (part.details.empty() ? "" : "<br/>" + escape(part.details)) + "\"]\n";
  }
  for (std::size_t i = 0; i < node.parts.size(); ++i) {
    for (const std::size_t used : node.parts[i].uses) {
      const bool sends = node.parts[used].kind == Kind::Transmitter;
      text += indent + "  " + place(index, sends ? i : used) + " -.- " +
              place(index, sends ? used : i) + "\n";
    }
  }
  return text + indent + "end\n";
}

std::string node_lines(const Drawing& drawing, std::size_t cluster, const std::string& indent) {
  std::string text;
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    if (drawing.nodes[i].cluster != cluster) {
      continue;
    }
    const Drawing::Node& node = drawing.nodes[i];
    if (!node.parts.empty()) {
      text += component_lines(drawing, i, indent);
      continue;
    }
    const Look& look = look_of(node);
    text +=
        indent + ("n" + std::to_string(i)) + look.open + "<b>" + escape(node.short_name) + "</b>";
    for (const auto& lines : {node.types, node.details}) {
      for (const std::string& line : lines) {
        text += "<br/>" + escape(line);
      }
    }
    text +=
        look.close + (*look.name == '\0' ? std::string() : ":::" + std::string(look.name)) + "\n";
  }
  return text;
}

/// The clusters in a cluster, or in none.
std::string subgraphs(const Drawing& drawing, std::size_t parent, const std::string& indent) {
  std::string text;
  for (std::size_t cluster = 0; cluster < drawing.clusters.size(); ++cluster) {
    if (drawing.clusters[cluster].parent == parent) {
      text += indent + "subgraph c" + std::to_string(cluster) + "[\"" +
              escape(drawing.clusters[cluster].title) + "\"]\n" +
              node_lines(drawing, cluster, indent + "  ") +
              subgraphs(drawing, cluster, indent + "  ") + indent + "end\n";
    }
  }
  return text;
}

}  // namespace

std::string draw_mermaid(const Drawing& drawing) {
  std::string text = drawing.is_long() ? "flowchart TB\n" : "flowchart LR\n";
  text += node_lines(drawing, Drawing::kNoCluster, "  ");
  text += subgraphs(drawing, Drawing::kNoCluster, "  ");
  for (const Drawing::Edge& edge : drawing.edges) {
    text += edge_line(edge);
  }
  return text + styles(drawing);
}

}  // namespace gxr

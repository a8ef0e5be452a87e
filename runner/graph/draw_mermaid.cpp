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

std::string node_lines(const Drawing& drawing, std::size_t cluster, const std::string& indent) {
  std::string text;
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    if (drawing.nodes[i].cluster != cluster) {
      continue;
    }
    text += indent + ("n" + std::to_string(i)) + "[\"<b>" + escape(drawing.nodes[i].name) + "</b>";
    for (const std::string& type : drawing.nodes[i].types) {
      text += "<br/>" + escape(type);
    }
    text += "\"]\n";
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
    text += "  n" + std::to_string(edge.from) + (edge.delayed ? " -.->|\"" : " -->|\"") +
            escape(port_label(edge, "\u2192")) + "\"| n" + std::to_string(edge.to) + "\n";
  }
  return text;
}

}  // namespace gxr

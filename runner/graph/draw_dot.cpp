#include "graph/draw.hpp"

namespace gxr {
namespace {

constexpr const char* kStyle =
    "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#eef3fb\", color=\"#3b5f94\", "
    "penwidth=1.3,\n"
    "        fontname=\"Helvetica\", fontsize=12, margin=\"0.18,0.1\"];\n"
    "  edge [color=\"#555555\", arrowsize=0.8, fontname=\"Helvetica\", fontsize=9, "
    "fontcolor=\"#333333\"];\n";

std::string html(const std::string& text) {
  std::string escaped;
  for (const char c : text) {
    switch (c) {
      case '&':
        escaped += "&amp;";
        break;
      case '<':
        escaped += "&lt;";
        break;
      case '>':
        escaped += "&gt;";
        break;
      case '"':
        escaped += "&quot;";
        break;
      default:
        escaped += c;
    }
  }
  return escaped;
}

std::string node_line(std::size_t index, const Drawing::Node& node) {
  std::string label = "<b>" + html(node.name) + "</b>";
  for (const std::string& type : node.types) {
    label += "<br/><font point-size=\"9\">" + html(type) + "</font>";
  }
  return "  n" + std::to_string(index) + " [label=<" + label + ">];\n";
}

/// The clusters in a cluster, or in none.
std::string frames(const Drawing& drawing, std::size_t parent, const std::string& margin) {
  std::string text;
  for (std::size_t cluster = 0; cluster < drawing.clusters.size(); ++cluster) {
    if (drawing.clusters[cluster].parent != parent) {
      continue;
    }
    text += margin + "subgraph cluster_" + std::to_string(cluster) + " {\n" + margin + "  label=<" +
            html(drawing.clusters[cluster].title) +
            ">; style=\"rounded,dashed\"; color=\"#4b8b3b\"; "
            "fontname=\"Helvetica\"; fontsize=11;\n";
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
      if (drawing.nodes[i].cluster == cluster) {
        text += margin + node_line(i, drawing.nodes[i]);
      }
    }
    text += frames(drawing, cluster, margin + "  ") + margin + "}\n";
  }
  return text;
}

std::string edge_line(const Drawing::Edge& edge) {
  return "  n" + std::to_string(edge.from) + " -> n" + std::to_string(edge.to) + " [label=<" +
         html(port_label(edge, "\u2192")) + (edge.delayed ? ">, style=dashed];\n" : ">];\n");
}

}  // namespace

std::string draw_dot(const Drawing& drawing) {
  std::string text = "digraph application {\n";
  text +=
      drawing.is_long() ? "  rankdir=TB;\n  ranksep=0.35;\n" : "  rankdir=LR;\n  ranksep=0.7;\n";
  text += kStyle;
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    if (drawing.nodes[i].cluster == Drawing::kNoCluster) {
      text += node_line(i, drawing.nodes[i]);
    }
  }
  text += frames(drawing, Drawing::kNoCluster, "  ");
  for (const Drawing::Edge& edge : drawing.edges) {
    text += edge_line(edge);
  }
  return text + "}\n";
}

}  // namespace gxr

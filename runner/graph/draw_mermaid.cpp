#include "graph/draw.hpp"
#include "graph/drawing.hpp"

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

}  // namespace

std::string draw_mermaid(const Graph& graph, const TypeCatalog& catalog) {
  const Drawing drawing = make_drawing(graph, catalog);
  std::string text = drawing.is_long() ? "flowchart TB\n" : "flowchart LR\n";
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    text += "  n" + std::to_string(i) + "[\"<b>" + escape(drawing.nodes[i].name) + "</b>";
    for (const std::string& type : drawing.nodes[i].types) {
      text += "<br/>" + escape(type);
    }
    text += "\"]\n";
  }
  for (const Drawing::Edge& edge : drawing.edges) {
    text += "  n" + std::to_string(edge.from) + " -->|\"" + escape(port_label(edge, "\u2192")) +
            "\"| n" + std::to_string(edge.to) + "\n";
  }
  return text;
}

}  // namespace gxr

#include "graph/draw.hpp"
#include "graph/drawing.hpp"

namespace gxr {
namespace {

std::string title(const Drawing::Node& node) {
  std::string text = node.name;
  for (std::size_t i = 0; i < node.types.size(); ++i) {
    text += (i == 0 ? "  " : ", ") + node.types[i];
  }
  return text + "\n";
}

}  // namespace

std::string draw_text(const Graph& graph, const TypeCatalog& catalog) {
  const Drawing drawing = make_drawing(graph, catalog);
  std::vector<std::string> sends(drawing.nodes.size());
  for (const Drawing::Edge& edge : drawing.edges) {
    sends[edge.from] +=
        "  " + edge.from_port + " -> " + drawing.nodes[edge.to].name + "/" + edge.to_port + "\n";
  }
  std::string text;
  for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
    text += title(drawing.nodes[i]) + sends[i];
  }
  return text;
}

}  // namespace gxr

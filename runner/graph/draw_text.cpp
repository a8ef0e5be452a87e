#include "graph/draw.hpp"

namespace gxr {
namespace {

std::string indent(const Drawing::Node& node) {
  return node.cluster == Drawing::kNoCluster ? "" : "  ";
}

std::string title(const Drawing::Node& node) {
  std::string text = node.name;
  for (std::size_t i = 0; i < node.types.size(); ++i) {
    text += (i == 0 ? "  " : ", ") + node.types[i];
  }
  return text + "\n";
}

}  // namespace

std::string draw_text(const Drawing& drawing) {
  std::vector<std::string> sends(drawing.nodes.size());
  for (const Drawing::Edge& edge : drawing.edges) {
    sends[edge.from] += indent(drawing.nodes[edge.from]) + "  " + edge.from_port + " -> " +
                        drawing.nodes[edge.to].name + "/" + edge.to_port + "\n";
  }
  std::string text;
  const auto add_cluster = [&](std::size_t cluster) {
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
      if (drawing.nodes[i].cluster == cluster) {
        text += indent(drawing.nodes[i]) + title(drawing.nodes[i]) + sends[i];
      }
    }
  };
  add_cluster(Drawing::kNoCluster);
  for (std::size_t cluster = 0; cluster < drawing.clusters.size(); ++cluster) {
    text += drawing.clusters[cluster] + "\n";
    add_cluster(cluster);
  }
  return text;
}

}  // namespace gxr

#include "graph/draw.hpp"

namespace gxr {
namespace {

/// How many clusters are around what is in this one.
std::size_t depth(const Drawing& drawing, std::size_t cluster) {
  std::size_t count = 0;
  for (; cluster != Drawing::kNoCluster; cluster = drawing.clusters[cluster].parent) {
    ++count;
  }
  return count;
}

std::string indent(const Drawing& drawing, const Drawing::Node& node) {
  return std::string(2 * depth(drawing, node.cluster), ' ');
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
    sends[edge.from] += indent(drawing, drawing.nodes[edge.from]) + "  " + edge.from_port + " -> " +
                        drawing.nodes[edge.to].name + "/" + edge.to_port +
                        (edge.delayed ? ", delayed\n" : "\n");
  }
  std::string text;
  const auto add_cluster = [&](std::size_t cluster) {
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
      if (drawing.nodes[i].cluster == cluster) {
        text += indent(drawing, drawing.nodes[i]) + title(drawing.nodes[i]) + sends[i];
      }
    }
  };
  const auto add_clusters = [&](const auto& self, std::size_t parent) -> void {
    add_cluster(parent);
    for (std::size_t cluster = 0; cluster < drawing.clusters.size(); ++cluster) {
      if (drawing.clusters[cluster].parent == parent) {
        text +=
            std::string(2 * depth(drawing, parent), ' ') + drawing.clusters[cluster].title + "\n";
        self(self, cluster);
      }
    }
  };
  add_clusters(add_clusters, Drawing::kNoCluster);
  return text;
}

}  // namespace gxr

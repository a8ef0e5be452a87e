#include "graph/draw.hpp"

namespace gxr {
namespace {

bool is_remote(const Drawing::Node& node) { return node.kind == Drawing::Node::Kind::Remote; }

/// Frames of subgraphs are not shown: names tell them.
std::size_t shown_cluster(const Drawing& drawing, std::size_t cluster) {
  const bool shown = cluster != Drawing::kNoCluster && !drawing.clusters[cluster].subgraph;
  return shown ? cluster : Drawing::kNoCluster;
}

/// How many clusters are around what is in this one.
std::size_t depth(const Drawing& drawing, std::size_t cluster) {
  std::size_t count = 0;
  for (; cluster != Drawing::kNoCluster; cluster = drawing.clusters[cluster].parent) {
    ++count;
  }
  return count;
}

std::string indent(const Drawing& drawing, const Drawing::Node& node) {
  return std::string(2 * depth(drawing, shown_cluster(drawing, node.cluster)), ' ');
}

std::string title(const Drawing::Node& node) {
  std::string text = node.name;
  for (std::size_t i = 0; i < node.types.size(); ++i) {
    text += (i == 0 ? "  " : ", ") + node.types[i];
  }
  for (std::size_t i = 0; i < node.details.size(); ++i) {
    text += (i == 0 ? "; " : ", ") + node.details[i];
  }
  return text + "\n";
}

const char* word_of(Drawing::Part::Kind kind) {
  using Kind = Drawing::Part::Kind;
  switch (kind) {
    case Kind::Receiver:
      return "receiver";
    case Kind::Transmitter:
      return "transmitter";
    case Kind::Term:
      return "term";
    case Kind::Codelet:
      return "codelet";
    case Kind::Other:
      break;
  }
  return "component";
}

/// A line for each component of an entity.
std::string part_lines(const Drawing::Node& node, const std::string& margin) {
  std::string text;
  for (const Drawing::Part& part : node.parts) {
    text += margin + "  " + word_of(part.kind) + (part.name.empty() ? "" : " " + part.name) + ": " +
            part.type + (part.details.empty() ? "" : "; " + part.details) + "\n";
  }
  return text;
}

/// The text of an edge at its first node: "out -> tone/in".
std::string edge_text(const Drawing& drawing, const Drawing::Edge& edge) {
  const Drawing::Node& from = drawing.nodes[edge.from];
  const Drawing::Node& to = drawing.nodes[edge.to];
  std::string text = is_remote(from) ? edge.to_port + " <- " + from.name
                     : is_remote(to) ? edge.from_port + " -> " + to.name
                                     : edge.from_port + " -> " + to.name + "/" + edge.to_port;
  if (is_remote(from) || is_remote(to)) {
    text += text.ends_with("another process") ? "" : ", another process";
  }
  text += edge.delayed ? ", delayed" : "";
  text += edge.topic.empty() ? "" : ", topic " + edge.topic;
  return text + (edge.details.empty() ? "" : "; " + edge.details);
}

}  // namespace

std::string draw_text(const Drawing& drawing) {
  std::vector<std::string> sends(drawing.nodes.size());
  for (const Drawing::Edge& edge : drawing.edges) {
    const std::size_t node = is_remote(drawing.nodes[edge.from]) ? edge.to : edge.from;
    sends[node] += indent(drawing, drawing.nodes[node]) + "  " + edge_text(drawing, edge) + "\n";
  }
  std::string text;
  const auto add_cluster = [&](std::size_t cluster) {
    for (std::size_t i = 0; i < drawing.nodes.size(); ++i) {
      if (!is_remote(drawing.nodes[i]) &&
          shown_cluster(drawing, drawing.nodes[i].cluster) == cluster) {
        const std::string margin = indent(drawing, drawing.nodes[i]);
        text += margin + title(drawing.nodes[i]) + part_lines(drawing.nodes[i], margin) + sends[i];
      }
    }
  };
  const auto add_clusters = [&](const auto& self, std::size_t parent) -> void {
    add_cluster(parent);
    for (std::size_t cluster = 0; cluster < drawing.clusters.size(); ++cluster) {
      if (drawing.clusters[cluster].parent == parent && !drawing.clusters[cluster].subgraph) {
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

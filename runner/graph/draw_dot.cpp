#include <algorithm>
#include <cstddef>

#include "graph/chain_rows.hpp"
#include "graph/component_table.hpp"
#include "graph/draw.hpp"
#include "graph/html_text.hpp"

namespace gxr {
namespace {

constexpr const char* kStyle =
    "  node [shape=box, style=\"rounded,filled\", fillcolor=\"#eef3fb\", color=\"#3b5f94\", "
    "penwidth=1.3,\n"
    "        fontname=\"Helvetica\", fontsize=12, margin=\"0.12,0.06\"];\n"
    "  edge [color=\"#555555\", arrowsize=0.8, fontname=\"Helvetica\", fontsize=9, "
    "fontcolor=\"#333333\"];\n";

/// The looks of a kind of nodes, which differ also without colours.
const char* look_of(Drawing::Node::Kind kind) {
  switch (kind) {
    case Drawing::Node::Kind::Source:
      return ", style=filled, shape=ellipse, margin=0, fillcolor=\"#e6f4e4\", "
             "color=\"#3f7f3a\"";
    case Drawing::Node::Kind::Sink:
      return ", style=filled, peripheries=2, fillcolor=\"#fdf0dc\", color=\"#a8681c\"";
    case Drawing::Node::Kind::Remote:
      return ", style=\"filled,dashed\", shape=hexagon, margin=0, fillcolor=\"#f2f2f2\", "
             "color=\"#777777\"";
    case Drawing::Node::Kind::Operator:
      break;
  }
  return "";
}

/// Rows of a table: the underscores of one line keep clear of the next.
std::string node_line(std::size_t index, const Drawing::Node& node, bool downwards) {
  if (!node.parts.empty()) {
    return "  n" + std::to_string(index) + " [label=<" + component_table(node, downwards) +
           ">, fillcolor=\"#fafbfd\", margin=0];\n";
  }
  std::string rows = "<tr><td><b>" + html_text(node.short_name) + "</b></td></tr>";
  for (const std::string& type : node.types) {
    rows += "<tr><td><font point-size=\"9\">" + html_text(type) + "</font></td></tr>";
  }
  for (const std::string& detail : node.details) {
    rows += "<tr><td><font point-size=\"9\" color=\"#555555\">" + html_text(detail) +
            "</font></td></tr>";
  }
  return "  n" + std::to_string(index) +
         " [label=<<table border=\"0\" cellspacing=\"0\" cellpadding=\"1\">" + rows + "</table>>" +
         look_of(node.kind) + "];\n";
}

const char* look_of(const Drawing::Cluster& cluster) {
  return cluster.subgraph ? "style=\"rounded,filled\"; color=\"#8a94a6\"; fillcolor=\"#fafbfd\"; "
                          : "style=\"rounded,dashed\"; color=\"#4b8b3b\"; ";
}

/// A title in lines, broken at its commas: the narrower it is, the fewer edges cross it.
std::string title_of(const Drawing::Cluster& cluster) {
  constexpr std::size_t kWide = 30;
  const char* const separator = cluster.title.size() > kWide ? ",<br align=\"left\"/>" : ", ";
  std::string lines;
  for (std::size_t begin = 0; begin < cluster.title.size();) {
    const std::size_t comma = std::min(cluster.title.find(", ", begin), cluster.title.size());
    lines +=
        (lines.empty() ? "" : separator) + html_text(cluster.title.substr(begin, comma - begin));
    begin = comma + 2;
  }
  const bool broken = lines.find("<br") != std::string::npos;
  return broken ? lines + "<br align=\"left\"/>" : lines;
}

class DotWriter {
 public:
  explicit DotWriter(const Drawing& drawing)
      : drawing_(drawing), downwards_(drawing.narrow || drawing.is_long()) {
    if (!drawing.shows_components) {
      rows_ = find_chain_rows(drawing);
    }
    rows_.reversed.resize(drawing.edges.size());
  }

  std::string write() {
    text_ = "digraph application {\n";
    text_ += downwards_ ? "  rankdir=TB;\n  ranksep=0.35;\n" : "  rankdir=LR;\n  ranksep=0.5;\n";
    text_ += kStyle;
    add_nodes(Drawing::kNoCluster, "");
    add_frames(Drawing::kNoCluster, "  ");
    for (std::size_t i = 0; i < drawing_.edges.size(); ++i) {
      add_edge(drawing_.edges[i], rows_.reversed[i]);
    }
    return text_ + "}\n";
  }

 private:
  void add_nodes(std::size_t cluster, const std::string& margin) {
    for (std::size_t i = 0; i < drawing_.nodes.size(); ++i) {
      if (drawing_.nodes[i].cluster == cluster) {
        text_ += margin + node_line(i, drawing_.nodes[i], downwards_);
      }
    }
    for (std::size_t i = 0; i < rows_.chains.size(); ++i) {
      if (drawing_.nodes[rows_.chains[i].front().front()].cluster == cluster) {
        add_chain(i, margin + "  ");
      }
    }
  }

  /// A frame that nobody sees keeps the rows of a chain together.
  void add_chain(std::size_t index, const std::string& margin) {
    text_ += margin + "subgraph cluster_chain_" + std::to_string(index) + " {\n" + margin +
             "  style=invis; label=\"\";\n";
    for (const ChainRows::Row& row : rows_.chains[index]) {
      text_ += margin + "  { rank=same;";
      for (const std::size_t node : row) {
        text_ += " n" + std::to_string(node) + ";";
      }
      text_ += " }\n";
    }
    text_ += margin + "}\n";
  }

  /// The clusters in a cluster, or in none. Edges come from above or from the left, so titles stand
  /// where they seldom do.
  void add_frames(std::size_t parent, const std::string& margin) {
    for (std::size_t i = 0; i < drawing_.clusters.size(); ++i) {
      const Drawing::Cluster& cluster = drawing_.clusters[i];
      if (cluster.parent != parent) {
        continue;
      }
      text_ += margin + "subgraph cluster_" + std::to_string(i) + " {\n" + margin + "  label=<" +
               title_of(cluster) + ">; labeljust=l; " + look_of(cluster) +
               "fontname=\"Helvetica\"; fontsize=11;\n";
      add_nodes(i, margin);
      add_frames(i, margin + "  ");
      text_ += margin + "}\n";
    }
  }

  void add_edge(const Drawing::Edge& edge, bool reversed) {
    const bool shows_ports = edge.from_part != Drawing::kNoPart && edge.to_part != Drawing::kNoPart;
    std::string label = shows_ports && edge.topic.empty() ? "" : html_text(port_label(edge));
    if (!edge.details.empty()) {
      label += (label.empty() ? "" : "<br/>") + html_text(edge.details);
    }
    std::string attributes = label.empty() ? "" : "label=<" + label + ">";
    const auto add = [&](const char* attribute) {
      attributes += (attributes.empty() ? "" : ", ") + std::string(attribute);
    };
    if (edge.delayed) {
      add("style=dashed");
    } else if (!edge.topic.empty()) {
      add("style=dotted, penwidth=1.6");
    }
    if (reversed) {
      add("dir=back");
    }
    const std::string from = place(edge.from, edge.from_part, downwards_ ? ":s" : ":e");
    const std::string to = place(edge.to, edge.to_part, downwards_ ? ":n" : ":w");
    text_ += "  " + (reversed ? to : from) + " -> " + (reversed ? from : to) +
             (attributes.empty() ? "" : " [" + attributes + "]") + ";\n";
  }

  /// "n0", or the place of a component in it and the side on which the edge ends: "n0:p2:e".
  static std::string place(std::size_t node, std::size_t part, const char* side) {
    const std::string name = "n" + std::to_string(node);
    return part == Drawing::kNoPart ? name : name + ":" + component_place(part) + side;
  }

  const Drawing& drawing_;
  bool downwards_;
  ChainRows rows_;
  std::string text_;
};

}  // namespace

std::string draw_dot(const Drawing& drawing) { return DotWriter(drawing).write(); }

}  // namespace gxr

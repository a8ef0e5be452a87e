#include "graph/chain_rows.hpp"

#include <algorithm>

namespace gxr {
namespace {

constexpr std::size_t kNoEdge = static_cast<std::size_t>(-1);
/// Nodes side by side.
constexpr std::size_t kRowLength = 6;
/// Shorter chains stay a column.
constexpr std::size_t kShortest = 2 * kRowLength;

/// Chains: each node but the last has one edge out, to a node with one edge in and in the same
/// cluster.
class Chains {
 public:
  explicit Chains(const Drawing& drawing)
      : drawing_(drawing),
        outs_(drawing.nodes.size()),
        ins_(drawing.nodes.size()),
        next_(drawing.nodes.size(), kNoEdge) {
    for (const Drawing::Edge& edge : drawing.edges) {
      ++outs_[edge.from];
      ++ins_[edge.to];
    }
    std::vector<bool> follows(drawing.nodes.size());
    for (std::size_t i = 0; i < drawing.edges.size(); ++i) {
      const Drawing::Edge& edge = drawing.edges[i];
      if (continues(edge)) {
        next_[edge.from] = i;
        follows[edge.to] = true;
      }
    }
    for (std::size_t node = 0; node < drawing.nodes.size(); ++node) {
      if (!follows[node] && next_[node] != kNoEdge) {
        firsts_.push_back(node);
      }
    }
  }

  /// A ring has no first node, so it stays as it is.
  [[nodiscard]] const std::vector<std::size_t>& firsts() const { return firsts_; }

  /// Edges of the chain that begins with the node.
  [[nodiscard]] std::vector<std::size_t> edges_from(std::size_t node) const {
    std::vector<std::size_t> edges;
    for (std::size_t edge = next_[node]; edge != kNoEdge; edge = next_[drawing_.edges[edge].to]) {
      edges.push_back(edge);
    }
    return edges;
  }

 private:
  [[nodiscard]] bool continues(const Drawing::Edge& edge) const {
    return outs_[edge.from] == 1 && ins_[edge.to] == 1 && edge.from != edge.to && !edge.delayed &&
           drawing_.nodes[edge.from].cluster == drawing_.nodes[edge.to].cluster;
  }

  const Drawing& drawing_;
  std::vector<std::size_t> outs_;
  std::vector<std::size_t> ins_;
  std::vector<std::size_t> next_;  // by node: the edge to the next one
  std::vector<std::size_t> firsts_;
};

}  // namespace

ChainRows find_chain_rows(const Drawing& drawing) {
  ChainRows found;
  found.reversed.resize(drawing.edges.size());
  if (drawing.narrow || !drawing.is_long()) {
    return found;
  }
  const Chains chains(drawing);
  for (const std::size_t first : chains.firsts()) {
    const std::vector<std::size_t> edges = chains.edges_from(first);
    if (edges.size() + 1 < kShortest) {
      continue;
    }
    std::vector<ChainRows::Row>& rows = found.chains.emplace_back();
    ChainRows::Row row{first};
    bool backwards = false;
    const auto end_row = [&] {
      if (backwards) {
        std::ranges::reverse(row);
      }
      rows.push_back(row);
    };
    for (const std::size_t edge : edges) {
      if (row.size() == kRowLength) {
        end_row();
        row.clear();
        backwards = !backwards;
      } else {
        found.reversed[edge] = backwards;
      }
      row.push_back(drawing.edges[edge].to);
    }
    end_row();
  }
  return found;
}

}  // namespace gxr

#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "graph/graph.hpp"
#include "internal_api.hpp"
#include "registry/type_catalog.hpp"

namespace gxr {

/// The content of a picture of a graph. All texts are printable: controls and bytes that are no
/// UTF-8 are escaped.
struct Drawing {
  static constexpr std::size_t kNoCluster = static_cast<std::size_t>(-1);
  struct Node {
    std::string name;
    std::vector<std::string> types;  ///< of its codelets, and of what may be one
    EntityId entity = kNone;
    std::size_t cluster = kNoCluster;  ///< an index in `clusters`
  };
  struct Edge {
    std::size_t from = 0;  ///< index of a node
    std::size_t to = 0;
    std::string from_port;
    std::string to_port;
    bool delayed = false;  ///< drawn with dashes
  };
  std::vector<Node> nodes;  ///< entities with codelets or connected queues, in order of creation
  std::vector<Edge> edges;  ///< connections, each once
  /// Nodes that belong together.
  struct Cluster {
    std::string title;
    std::size_t parent = kNoCluster;  ///< the one around it, which stands before it
  };
  std::vector<Cluster> clusters;

  /// Would the graph, drawn from left to right, be wider than a page? It is then drawn downwards.
  [[nodiscard]] bool is_long() const;
};

/// Also of a graph with types that no extension has: their components are drawn as codelets, and
/// connections by the names of their ends.
GXR_INTERNAL_API Drawing make_drawing(const Graph& graph, const TypeCatalog& catalog);
/// "out -> in", or "out" when both ends have that name.
std::string port_label(const Drawing::Edge& edge, const std::string& arrow);

}  // namespace gxr

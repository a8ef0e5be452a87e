#pragma once

#include <cstddef>
#include <cstdint>
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
    /// What stands at its two sides. Remote: the other end of a queue, in another process.
    enum class Kind : std::uint8_t { Operator, Source, Sink, Remote };
    std::string name;
    std::string short_name;          ///< inside of the frame of its subgraph
    std::vector<std::string> types;  ///< of its codelets, and of what may be one
    EntityId entity = kNone;         ///< none: a remote end
    Kind kind = Kind::Operator;
    std::size_t cluster = kNoCluster;    ///< an index in `clusters`
    std::vector<std::string> details{};  ///< when it ticks, beyond the usual
  };
  struct Edge {
    std::size_t from = 0;  ///< index of a node
    std::size_t to = 0;
    std::string from_port;
    std::string to_port;
    bool delayed = false;       ///< drawn with dashes
    bool several_from = false;  ///< the entity has other outputs, too: the name matters
    bool several_to = false;    ///< the entity has other inputs, too
    std::string topic{};        ///< of queues that meet there instead of a connection
    std::string details{};      ///< capacity and policy
  };
  /// Entities with codelets or connected queues, in order of creation; then remote ends.
  std::vector<Node> nodes;
  std::vector<Edge> edges;  ///< connections, each once
  /// Nodes that belong together: of a subgraph, or of a region and its branches.
  struct Cluster {
    std::string title;
    std::size_t parent = kNoCluster;  ///< the one around it, which stands before it
    bool subgraph = false;
  };
  std::vector<Cluster> clusters;
  bool narrow = false;  ///< drawn downwards, for a narrow page

  /// Would the graph, drawn from left to right, be wider than a page? It is then drawn downwards.
  [[nodiscard]] bool is_long() const;
};

/// Also of a graph with types that no extension has: their components are drawn as codelets, and
/// connections by the names of their ends.
GXR_INTERNAL_API Drawing make_drawing(const Graph& graph, const TypeCatalog& catalog);
/// The drawing without details of nodes and edges.
GXR_INTERNAL_API void leave_out_details(Drawing& drawing);
/// The topic of an edge, and its ports where there is a choice: "left \u2192 in", "left", "in" or
/// "".
std::string port_label(const Drawing::Edge& edge);

}  // namespace gxr

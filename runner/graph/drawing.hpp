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
  static constexpr std::size_t kNoPart = static_cast<std::size_t>(-1);
  /// A component of an entity, in pictures that show them.
  struct Part {
    enum class Kind : std::uint8_t { Receiver, Transmitter, Term, Codelet, Other };
    std::string name;  ///< may be empty
    std::string type;
    Kind kind = Kind::Other;
    std::string details{};          ///< what a term waits for; the capacity of a queue
    std::vector<std::size_t> uses;  ///< the parts of its entity that its parameters name
    ComponentId component = kNone;
  };
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
    std::vector<Part> parts{};           ///< its components, where the picture shows them
  };
  struct Edge {
    std::size_t from = 0;  ///< index of a node
    std::size_t to = 0;
    std::string from_port;
    std::string to_port;
    bool delayed = false;             ///< drawn with dashes
    bool several_from = false;        ///< the entity has other outputs, too: the name matters
    bool several_to = false;          ///< the entity has other inputs, too
    std::string topic{};              ///< of queues that meet there instead of a connection
    std::string details{};            ///< capacity and policy
    std::size_t from_part = kNoPart;  ///< its transmitter in the parts of the node
    std::size_t to_part = kNoPart;    ///< its receiver
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
  bool shows_components = false;

  /// Would the graph, drawn from left to right, be wider than a page? It is then drawn downwards.
  [[nodiscard]] bool is_long() const;
};

/// Also of a graph with types that no extension has: their components are drawn as codelets, and
/// connections by the names of their ends.
GXR_INTERNAL_API Drawing make_drawing(const Graph& graph, const TypeCatalog& catalog);
/// Adds the components of all entities, also of those that do no work, such as the scheduler's.
/// Connections are left out: edges show them.
GXR_INTERNAL_API void add_components(const Graph& graph, const TypeCatalog& catalog,
                                     Drawing& drawing);
/// The drawing without details of nodes and edges.
GXR_INTERNAL_API void leave_out_details(Drawing& drawing);
/// The topic of an edge, and its ports where there is a choice: "left \u2192 in", "left", "in" or
/// "".
std::string port_label(const Drawing::Edge& edge);

}  // namespace gxr

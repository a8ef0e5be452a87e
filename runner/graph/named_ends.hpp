#pragma once

#include <string>

#include "graph/graph.hpp"

namespace gxr {

/// One end of a connection, as far as its names tell.
struct NamedEnd {
  EntityId entity = kNone;
  std::string port;

  friend bool operator==(const NamedEnd&, const NamedEnd&) = default;
};

/// Where a connection leads by its names. Its type, or those of its queues, may not be known.
struct NamedEnds {
  NamedEnd source;
  NamedEnd target;

  /// Are there entities of these names?
  [[nodiscard]] bool found() const noexcept {
    return source.entity != kNone && target.entity != kNone;
  }
  friend bool operator==(const NamedEnds&, const NamedEnds&) = default;
};

/// Precondition: has_ends(connection).
NamedEnds named_ends(const Graph& graph, const GraphComponent& connection);

}  // namespace gxr

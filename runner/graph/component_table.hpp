#pragma once

#include <cstddef>
#include <string>

#include "graph/drawing.hpp"

namespace gxr {

/// An entity with its components, as a label of Graphviz: receivers on the left, transmitters on
/// the right, each with the terms that watch it, and everything else between them; in a picture
/// that is drawn downwards, receivers above and transmitters below. The node has parts.
[[nodiscard]] std::string component_table(const Drawing::Node& node, bool downwards);

/// The place of a part in that label, where edges end: "p2".
[[nodiscard]] std::string component_place(std::size_t part);

}  // namespace gxr

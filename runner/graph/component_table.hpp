#pragma once

#include <cstddef>
#include <string>

#include "graph/drawing.hpp"

namespace gxr {

/// An entity with its components, as a label of Graphviz: receivers on the left, transmitters on
/// the right, each with the terms that watch it, and everything else between them.
[[nodiscard]] std::string component_table(const Drawing::Node& node);

/// The place of a part in that label, where edges end: "p2".
[[nodiscard]] std::string component_place(std::size_t part);

}  // namespace gxr

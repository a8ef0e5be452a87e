#pragma once

#include <string>

#include "graph/graph.hpp"

namespace gxr {

/// What a scheduling term asks for, in a few words: "1 message on 'in'".
std::string describe_term(const Graph& graph, const GraphComponent& term);

}  // namespace gxr

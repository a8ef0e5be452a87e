#pragma once

#include <vector>

#include "graph/graph.hpp"
#include "gxr/consumers.hpp"

namespace gxr {

/// The input ports that declare parts and get messages of this transmitter, through links and
/// through codelets that pass messages on. In the order of the graph.
std::vector<Consumer> consumers_of(const Graph& graph, ComponentId transmitter);

}  // namespace gxr

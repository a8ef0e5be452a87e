#pragma once

#include <string>

#include "graph/graph.hpp"
#include "graph/roles.hpp"

namespace gxr {

/// "no transmitter of this app has its topic 'x'": why a queue that joins a topic is linked to
/// nothing; empty for other queues, which need a connection.
std::string missing_topic(const GraphComponent& queue, Roles& roles);
/// What helps. Precondition: missing_topic() is not empty.
std::string missing_topic_hint(const GraphComponent& queue);

}  // namespace gxr

#pragma once

#include <string>

#include "graph/graph.hpp"
#include "graph/roles.hpp"

namespace gxr {

/// "no PubSubTransmitter of this app has its topic 'x'": why such a queue is linked to nothing;
/// empty for other queues, which need a connection.
std::string missing_topic(const GraphComponent& queue, Roles& roles);
inline constexpr const char* kMissingTopicHint = "give both ends the same 'topic_name'";

}  // namespace gxr

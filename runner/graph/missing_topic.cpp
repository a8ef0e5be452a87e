#include "graph/missing_topic.hpp"

#include "graph/parameter_value.hpp"
#include "graph/text.hpp"

namespace gxr {

std::string missing_topic(const GraphComponent& queue, Roles& roles) {
  if (!roles.has(queue, Role::PubSubQueue)) {
    return {};
  }
  const bool receiver = roles.has(queue, Role::Receiver);
  return std::string("no ") + (receiver ? "PubSubTransmitter" : "PubSubReceiver") +
         " of this app has its topic " + in_quotes(parameter_text(queue, "topic_name"));
}

}  // namespace gxr

#include "graph/missing_topic.hpp"

#include "graph/parameter_value.hpp"
#include "graph/text.hpp"

namespace gxr {

std::string missing_topic(const GraphComponent& queue, Roles& roles) {
  const Capability* const joins = queue.capability(Capability::Kind::JoinsTopic);
  if (joins == nullptr) {
    return {};
  }
  const bool receiver = roles.has(queue, Role::Receiver);
  return std::string("no ") + (receiver ? "transmitter" : "receiver") +
         " of this app has its topic " +
         in_quotes(text_parameter(queue, joins->key(0)).value_or(""));
}

std::string missing_topic_hint(const GraphComponent& queue) {
  return "give both ends the same " +
         in_quotes(queue.capability(Capability::Kind::JoinsTopic)->key(0));
}

}  // namespace gxr

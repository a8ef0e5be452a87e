#include "gxr/pub_sub.hpp"

#include "gxr/interface.hpp"

namespace gxr {

PubSubContext::~PubSubContext() = default;
InMemoryPubSubContext::~InMemoryPubSubContext() = default;
PubSubTransmitter::~PubSubTransmitter() = default;
PubSubReceiver::~PubSubReceiver() = default;

void PubSubContext::declare(Interface& interface) {
  interface
      .parameter(node_name_, "node_name", "Accepted for GXF's files, no effect in gxr",
                 "GXF's name for this process among others.")
      .default_value("");
  interface.parameter(clock_, "clock", "Accepted for GXF's files, no effect in gxr").optional();
  interface
      .parameter(native_buffer_policy_, "native_buffer_policy",
                 "Accepted for GXF's files, no effect in gxr",
                 "Messages stay where they are: nothing is copied within a process.")
      .default_value("preferred");
}

void PubSubTransmitter::declare(Interface& interface) {
  interface.parameter(topic_name_, "topic_name", "Topic to which the messages go",
                      "All PubSubReceivers of the same topic in this application get them.");
  declare_stages(interface, OverflowPolicy::Pop);
  interface.plain_queue("capacity", "policy");
  interface.joins_topic("topic_name");
}

void PubSubReceiver::declare(Interface& interface) {
  interface.parameter(topic_name_, "topic_name", "Topic from which messages come",
                      "Those of all PubSubTransmitters of the same topic in this application.");
  declare_stages(interface, OverflowPolicy::Pop);
  interface.plain_queue("capacity", "policy");
  interface.joins_topic("topic_name");
}

}  // namespace gxr

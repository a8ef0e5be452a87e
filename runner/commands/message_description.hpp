#pragma once

#include <chrono>
#include <cstdint>
#include <string>

#include "gxr/topics.hpp"
#include "registry/type_catalog.hpp"

namespace gxr::commands {

/// A question to `gxr describe` about a topic or a type of messages.
struct MessageQuestion {
  std::string name;                      ///< "/camera/image", "sensor_msgs/msg/Image"
  TopicNetwork network;                  ///< of a topic
  std::chrono::milliseconds wait{5000};  ///< for somebody who publishes on it, and for answers
  bool asks = false;  ///< the programs on the topic for types that gxr does not know
  bool json = false;
};

/// Is it the form of a topic or of a type of messages: words with '/' between them, and no file?
[[nodiscard]] bool names_messages(const std::string& name);

/// Prints what there is. Returns the exit code.
int describe_messages(const TypeCatalog& catalog, const MessageQuestion& question);

}  // namespace gxr::commands

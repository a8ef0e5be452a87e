#include "gxr/topics.hpp"

namespace gxr {

TopicBrowser::~TopicBrowser() = default;

std::vector<MessageDefinition> TopicBrowser::message_types() { return {}; }

std::vector<MessageDefinition> TopicBrowser::definitions(const std::string& /*topic*/,
                                                         std::chrono::nanoseconds /*wait*/) {
  return {};
}

}  // namespace gxr

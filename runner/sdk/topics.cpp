#include "gxr/topics.hpp"

#include <algorithm>

namespace gxr {

TopicBrowser::~TopicBrowser() = default;

std::vector<std::string> TopicBrowser::remarks() const { return {}; }

std::vector<MessageDefinition> TopicBrowser::message_types() { return {}; }

std::vector<MessageDefinition> TopicBrowser::definitions_of_type(const std::string& name) {
  const std::vector<MessageDefinition> all = message_types();
  std::vector<MessageDefinition> found;
  const auto add = [&](const std::string& called) {
    const auto type = std::ranges::find_if(all, [&](const MessageDefinition& each) {
      return each.name == called || each.wire_name == called;
    });
    if (type != all.end() && std::ranges::find(found, *type) == found.end()) {
      found.push_back(*type);
    }
  };
  add(name);
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::vector<MessageField> fields = found[i].fields;
    for (const MessageField& field : fields) {
      add(field.type.substr(0, field.type.find('[')));
    }
  }
  return found;
}

std::vector<MessageDefinition> TopicBrowser::definitions(const std::string& /*topic*/,
                                                         std::chrono::nanoseconds /*wait*/) {
  return {};
}

}  // namespace gxr

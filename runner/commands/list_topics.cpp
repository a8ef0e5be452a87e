#include "commands/list_topics.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "commands/topic_browsers.hpp"
#include "gxr/error.hpp"

namespace gxr::commands {
namespace {

using Json = nlohmann::ordered_json;

void print_topics(const std::vector<FoundTopic>& topics) {
  for (const FoundTopic& topic : topics) {
    print_text(topic.name + "  " + topic.type + "\n");
    for (const TopicEnd& end : topic.ends) {
      std::string text = end.publishes ? "  publisher " : "  subscriber";
      text += end.name.empty() ? "" : " '" + end.name + "'";
      text += end.process.empty() ? "" : " of " + end.process;
      print_text(text + ": " + end.qualities + "\n");
    }
  }
}

Json topics_as_json(const std::vector<FoundTopic>& topics) {
  Json list = Json::array();
  for (const FoundTopic& topic : topics) {
    Json ends = Json::array();
    for (const TopicEnd& end : topic.ends) {
      ends.push_back({{"publishes", end.publishes},
                      {"name", end.name},
                      {"process", end.process},
                      {"qualities", end.qualities}});
    }
    list.push_back({{"name", topic.name}, {"type", topic.type}, {"ends", std::move(ends)}});
  }
  return list;
}

}  // namespace

int list_topics(const TypeCatalog& catalog, std::uint64_t domain, std::uint64_t wait_ms,
                bool json) {
  const TopicBrowsers made = make_topic_browsers(catalog);
  std::vector<FoundTopic> topics;
  int exit_code = made.broken.empty() ? kDone : kExtensionNotLoadable;
  for (const std::string& text : made.broken) {
    print_error(text);
  }
  for (const auto& browser : made.browsers) {
    try {
      for (FoundTopic& topic : browser->topics(static_cast<std::int32_t>(domain),
                                               std::chrono::milliseconds(wait_ms), {})) {
        topics.push_back(std::move(topic));
      }
    } catch (const Error& error) {
      print_error(error.message());
      exit_code = kRunFailed;
    }
  }
  if (json) {
    print(topics_as_json(topics));
  } else {
    print_topics(topics);
  }
  return exit_code;
}

}  // namespace gxr::commands

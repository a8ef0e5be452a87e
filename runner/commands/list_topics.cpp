#include "commands/list_topics.hpp"

#include <chrono>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

#include "commands/commands.hpp"
#include "commands/output.hpp"
#include "commands/topic_browsers.hpp"
#include "commands/topic_text.hpp"
#include "gxr/error.hpp"

namespace gxr::commands {
int list_topics(const TypeCatalog& catalog, const TopicNetwork& network, std::uint64_t wait_ms,
                bool json) {
  const TopicBrowsers made = make_topic_browsers(catalog);
  std::vector<FoundTopic> topics;
  int exit_code = made.broken.empty() ? kDone : kExtensionNotLoadable;
  for (const std::string& text : made.broken) {
    print_error(text);
  }
  for (const auto& browser : made.browsers) {
    try {
      for (FoundTopic& topic :
           find_topics(*browser, network, std::chrono::milliseconds(wait_ms), {})) {
        topics.push_back(std::move(topic));
      }
    } catch (const Error& error) {
      print_error(error.message());
      exit_code = kRunFailed;
    }
  }
  if (json) {
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    for (const FoundTopic& topic : topics) {
      list.push_back(topic_as_json(topic));
    }
    print(list);
  } else {
    for (const FoundTopic& topic : topics) {
      print_text(topic_as_text(topic));
    }
    if (topics.empty() && exit_code == kDone) {
      print_warning("no topics in domain " + std::to_string(network.domain) + ": not within " +
                    std::to_string(wait_ms) + " ms (--wait)");
    }
  }
  return exit_code;
}

}  // namespace gxr::commands

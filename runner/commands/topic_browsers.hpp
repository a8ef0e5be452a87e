#pragma once

#include <chrono>
#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gxr/topics.hpp"
#include "registry/type_catalog.hpp"

namespace CLI {
class App;
}

namespace gxr::commands {

/// Of --wait of commands about topics.
inline constexpr std::uint64_t kLongestTopicWait = 3'600'000;  ///< ms

/// --domain, --interfaces and --peers; `of` begins their help where a command is not about topics
/// alone. `network` must outlive the command.
void add_network_options(CLI::App& command, TopicNetwork& network, const std::string& of = "");

/// One of each type that finds topics, as far as they can be used here.
struct TopicBrowsers {
  std::vector<std::unique_ptr<TopicBrowser>> browsers;
  std::vector<std::string> broken;  ///< why others cannot be made
};

/// Runs code of their extensions.
TopicBrowsers make_topic_browsers(const TypeCatalog& catalog);

/// The topics that a browser finds; prints its remarks as warnings. Throws Error.
std::vector<FoundTopic> find_topics(TopicBrowser& browser, const TopicNetwork& network,
                                    std::chrono::nanoseconds wait, const std::string& until);

/// "; there are /a, /b", for an error about a topic that is not among them; empty without any.
std::string text_of_others(const std::vector<std::string>& topics);

}  // namespace gxr::commands

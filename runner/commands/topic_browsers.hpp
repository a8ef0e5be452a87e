#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "gxr/topics.hpp"
#include "registry/type_catalog.hpp"

namespace gxr::commands {

/// Of options of commands about topics.
inline constexpr std::uint64_t kLastDomain = 230;
inline constexpr std::uint64_t kLongestTopicWait = 3'600'000;  ///< ms

/// One of each type that finds topics, as far as they can be used here.
struct TopicBrowsers {
  std::vector<std::unique_ptr<TopicBrowser>> browsers;
  std::vector<std::string> broken;  ///< why others cannot be made
};

/// Runs code of their extensions.
TopicBrowsers make_topic_browsers(const TypeCatalog& catalog);

/// "; there are /a, /b", for an error about a topic that is not among them; empty without any.
std::string text_of_others(const std::vector<std::string>& topics);

}  // namespace gxr::commands

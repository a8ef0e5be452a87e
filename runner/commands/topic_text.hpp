#pragma once

#include <string>
#include <vector>

#include <nlohmann/json_fwd.hpp>

#include "gxr/topics.hpp"

namespace gxr::commands {

/// A line for the topic, and one for each end.
[[nodiscard]] std::string topic_as_text(const FoundTopic& topic);
[[nodiscard]] nlohmann::ordered_json topic_as_json(const FoundTopic& topic);

/// A paragraph for each.
[[nodiscard]] std::string definitions_as_text(const std::vector<MessageDefinition>& definitions);
[[nodiscard]] nlohmann::ordered_json definitions_as_json(
    const std::vector<MessageDefinition>& definitions);

}  // namespace gxr::commands

#pragma once

#include <cstdint>

#include "gxr/topics.hpp"
#include "registry/type_catalog.hpp"

namespace gxr::commands {

/// Prints the topics that are found within `wait_ms`, with those who publish and
/// subscribe. Returns the exit code.
int list_topics(const TypeCatalog& catalog, const TopicNetwork& network, std::uint64_t wait_ms,
                bool json);

}  // namespace gxr::commands

#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include <dds/dds.h>

#include "gxr/topics.hpp"

namespace gxr::dds {

/// The name of a definition.
using TypeId = std::shared_ptr<const dds_typeid_t>;

/// By which an end of a topic names the definition of its type; nullptr: it does not.
[[nodiscard]] TypeId type_id_of(const dds_builtintopic_endpoint_t& end);

/// The same for equal definitions.
[[nodiscard]] std::string digest_of(const dds_typeid_t& type);

/// The type, then those that it contains, each once, from the programs that have them; asks at
/// most for `limit` in all. Throws Error(NotSupported) when the first of them cannot be had.
[[nodiscard]] std::vector<MessageDefinition> remote_definitions(dds_entity_t participant,
                                                                const dds_typeid_t& type,
                                                                std::chrono::nanoseconds limit);

}  // namespace gxr::dds

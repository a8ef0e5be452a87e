#pragma once

#include <nlohmann/json_fwd.hpp>

#include "internal_api.hpp"
#include "observe/run_status.hpp"

namespace gxr {

// The status as data. What changes its meaning or disappears changes "version".

GXR_INTERNAL_API nlohmann::ordered_json to_json(const ApplicationIdentity& application);
/// Null when no time was measured.
GXR_INTERNAL_API nlohmann::ordered_json to_json(const TimeFacts& times);
GXR_INTERNAL_API nlohmann::ordered_json to_json(const QueueStatus& queue);
GXR_INTERNAL_API nlohmann::ordered_json to_json(const PathStatus& path);
GXR_INTERNAL_API nlohmann::ordered_json to_json(const AllocatorStatus& allocator);
nlohmann::ordered_json to_json(const OperatorStatistics& each);
nlohmann::ordered_json to_json(const GraphStatus& graph);
GXR_INTERNAL_API nlohmann::ordered_json to_json(const DeadlineStatus& deadline);
GXR_INTERNAL_API nlohmann::ordered_json to_json(const EntityStatus& entity);
/// With "version", 1.
GXR_INTERNAL_API nlohmann::ordered_json to_json(const ApplicationStatus& status);
// Reading throws Error(InvalidData) for anything else.
GXR_INTERNAL_API EntityStatus read_entity_status(const nlohmann::json& json);
GXR_INTERNAL_API ApplicationStatus read_status(const nlohmann::json& json);

}  // namespace gxr
